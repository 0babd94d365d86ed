import { currencyDecimals, fitsCurrency } from './currency.ts';
import type { Field, Fields } from './field.ts';
import type { Row } from './record.ts';
import { broken, type FieldErrors } from './validation/rule.ts';

const without = (fields: Fields, prefix: string, row: Row, currency: string): string[] =>
  Object.entries<Field>(fields).flatMap(([name, { kind, parts }]) => {
    const value = row[name];
    const path = `${prefix}${name}`;
    if (kind === 'price') {
      return typeof value === 'number' && !fitsCurrency(value, currency) ? [path] : [];
    }
    if (!parts || !Array.isArray(value)) return [];
    return value.flatMap((one, at) => without(parts, `${path}.${at}.`, one as Row, currency));
  });

/** The errors of those prices of a record, and of its lists, that a currency has no coins for. */
export function priceErrors(fields: Fields, row: Row, currency: string): FieldErrors {
  const max = currencyDecimals(currency);
  const paths = without(fields, '', row, currency);
  return Object.fromEntries(paths.map((path) => [path, [broken('decimals', { max })]]));
}
