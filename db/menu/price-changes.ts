import type { OperationResult } from '../schema/bulk.ts';
import { isSame } from '../schema/record.ts';
import { isObject } from '../schema/values/row.ts';

/** A list of objects without their prices; another value as it is. */
function withoutPrices(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((row) => (isObject(row) ? { ...row, price: null } : row));
}

/** The changed fields in which more than prices changes. */
export function otherThanPrices(changes: OperationResult['changes']): string[] {
  return Object.entries(changes).flatMap(([name, [before, after]]) => {
    const isList = Array.isArray(before) && Array.isArray(after);
    const isPrice =
      name === 'price' || (isList && isSame(withoutPrices(before), withoutPrices(after)));
    return isPrice ? [] : [name];
  });
}
