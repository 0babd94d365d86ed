import { type AllergenStatement, isSafe } from '../../db/schema/allergens.ts';
import { dishFilters } from '../../db/schema/registry.ts';
import type { DishKey } from '../../db/snapshot/parts.ts';
import type { ItemsQuery } from './items.ts';

/** Whether a dish is selected; `undeclared`: it is left out, and it does not declare its allergens. */
export type Verdict = boolean | 'undeclared';

function isEqualOrHasAll(wanted: unknown, value: unknown): boolean {
  if (!Array.isArray(wanted)) return wanted === value;
  return wanted.every((key) => (value as unknown[]).includes(key));
}

/** Selects dishes by the parameters of `/items`, all but the search and the section. */
export function createDishFilter(query: ItemsQuery): (dish: DishKey) => Verdict {
  const { exclude_allergens: excluded = [], ...given } = query;
  const values: Readonly<Record<string, unknown>> = given;
  const filters = dishFilters.filter(({ name }) => values[name] !== undefined);
  return (dish) => {
    const own = dish.filters;
    if (!filters.every(({ name }) => isEqualOrHasAll(values[name], own[name]))) return false;
    if (excluded.length === 0) return true;
    const statement = own as unknown as AllergenStatement;
    return statement.allergens_declared ? isSafe(statement, excluded) : 'undeclared';
  };
}
