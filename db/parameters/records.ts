import * as v from 'valibot';
import { ruleTexts } from '../validation/messages.ts';
import { shownAs } from '../validation/shown-as.ts';
import { flagParameter } from './flag.ts';
import { pagingEntries } from './paging.ts';

/** The parameters of the admin API's lists. */
export const recordsQuerySchema = v.object({
  category_id: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]{1,9}$/, ruleTexts.integer('category_id')),
      shownAs({
        type: 'integer',
        minimum: 0,
        maximum: 999_999_999,
        description: 'Only records of this section; sections and wineries are of none.',
      }),
      v.transform(Number),
    ),
  ),
  deleted: v.optional(
    flagParameter('deleted', '1: what was deleted and can be restored, not what is there.'),
    '0',
  ),
  ...pagingEntries,
});
