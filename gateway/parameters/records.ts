import * as v from 'valibot';
import { flagParameter } from './flag.ts';
import { integerParameter } from './integer.ts';
import { pagingEntries } from './paging.ts';

/** The parameters of the admin API's lists. */
export const recordsQuerySchema = v.object({
  category_id: integerParameter('Only records of this section; sections and wineries are of none.'),
  deleted: v.optional(
    flagParameter('1: what was deleted and can be restored, not what is there.'),
    '0',
  ),
  ...pagingEntries,
});
