import type { SentOperation } from '../../db/menu/plan.ts';
import type { OperationResult } from '../../db/schema/bulk.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import { mapErrors } from '../../db/schema/validation/rule.ts';
import { madeSafe } from '../../db/schema/validation/safe-text.ts';
import { isObject } from '../../db/schema/values/row.ts';

// The errors of a document's records name the record and the value, as those of a table do.

/** In characters. */
const MAX_SHOWN = 100;

/** A value as an error shows it; empty for lists, objects and nothing. */
function shown(value: unknown): string {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? madeSafe(String(value).slice(0, MAX_SHOWN).replace(/\s+/g, ' ')) : '';
}

/** @param path such as `variants.0.price` */
function valueAt(data: Input, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Input)[key]
          : undefined,
      data,
    );
}

/** The name of a record in a document, in the house's language if it has one there; else its key. */
function nameOf({ data, external_id: key }: Input, locale: string): string {
  const { name } = isObject(data) ? data : {};
  const texts = isObject(name) ? [name[locale], ...Object.values(name)] : [name];
  return texts.map(shown).find((text) => text !== '') ?? shown(key);
}

/** @param locale of the restaurant, in which names are preferred */
export function nameValues(
  results: readonly OperationResult[],
  operations: readonly SentOperation[],
  locale: string,
): OperationResult[] {
  return results.map((result) => {
    const operation = operations[result.index]?.operation;
    if (result.outcome !== 'failed' || !isObject(operation)) return result;
    const { data } = operation;
    const name = nameOf(operation, locale);
    const errors = mapErrors(result.errors, (one, field) => {
      const value = isObject(data) ? shown(valueAt(data, field)) : '';
      const isNamed = name !== '' || value !== '';
      return one.cell || !isNamed ? one : { ...one, cell: { name, column: '', value } };
    });
    return { ...result, errors };
  });
}
