import { dishFilters } from '../../db/schema/registry.ts';
import type { DishKey } from '../../db/snapshot/parts.ts';
import type { ItemsQuery } from './items.ts';

/** Whether a dish is selected; `undeclared`: it is left out only because it declares no allergens. */
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
  const hasOne = (keys: unknown) => excluded.some((key) => (keys as string[]).includes(key));
  return (dish) => {
    const own = dish.filters;
    if (!filters.every(({ name }) => isEqualOrHasAll(values[name], own[name]))) return false;
    if (excluded.length === 0) return true;
    if (hasOne(own.allergens) || hasOne(own.traces)) return false;
    return own.allergens_declared === true ? true : 'undeclared';
  };
}
