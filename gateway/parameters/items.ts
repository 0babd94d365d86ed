import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { rule } from '../../db/schema/validation/rule.ts';
import { flagParameter } from './flag.ts';
import { integerParameter } from './integer.ts';
import { pagingEntries } from './paging.ts';

const { maxSearchLength } = constants;
const LOCALE =
  'Language of the texts; by default the restaurant’s own, and Italian for one that it does not have.';

/** The parameters of `/items` (SPEC, "`/items` query parameters"). */
export const itemsQuerySchema = v.object({
  category_id: integerParameter('Only dishes of this section.'),
  type_id: integerParameter('Only dishes of this sub-category.'),
  is_recommended: v.optional(flagParameter('1: only recommended dishes; 0: only the others.')),
  search: v.optional(
    v.pipe(
      v.string(),
      v.maxCodePoints(maxSearchLength, rule('maxLength', maxSearchLength)),
      v.description(
        'Every word must occur in name or description; case and accents do not matter.',
      ),
    ),
  ),
  locale: v.optional(v.pipe(v.string(), v.description(LOCALE))),
  ...pagingEntries,
});
export type ItemsQuery = v.InferOutput<typeof itemsQuerySchema>;
