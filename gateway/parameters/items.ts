import * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { dishFilters } from '../../db/schema/registry.ts';
import { rule } from '../../db/schema/validation/rule.ts';
import { flagParameter } from './flag.ts';
import { integerParameter } from './integer.ts';
import { pagingEntries } from './paging.ts';

const { maxSearchLength } = constants;
const LOCALE =
  'Language of the texts; by default the restaurant’s own, and Italian for one that it does not have.';

/** A parameter for each field of dishes that is declared as a filter. */
const filters: Record<string, v.GenericSchema<string | undefined, unknown>> = Object.fromEntries(
  dishFilters.map(({ name, field: { kind }, selects }) => [
    name,
    kind === 'flag' ? v.optional(flagParameter(selects)) : integerParameter(selects),
  ]),
);

/** The parameters of `/items` (SPEC, "`/items` query parameters"). */
export const itemsQuerySchema = v.object({
  ...filters,
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
