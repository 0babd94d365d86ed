import type { SentOperation } from '../../db/menu/plan.ts';
import type { OperationResult } from '../../db/schema/bulk.ts';
import {
  type Broken,
  type FieldErrors,
  mapErrors,
  type TableCell,
} from '../../db/schema/validation/rule.ts';
import type { RecordSource } from './read-table.ts';
import { dishName, type Entries } from './row-entries.ts';

// The errors of a table's dishes name the row, the dish and the cell.

const placeOf = (path: string) => Number(/^items\.(\d+)$/.exec(path)?.[1] ?? -1);

/** Columns that give a field under another name. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  category_id: ['section'],
  category_external_id: ['section'],
  type_id: ['type'],
  type_external_id: ['type'],
  winery_id: ['winery'],
  winery_external_id: ['winery'],
  is_active: ['is_hidden'],
  sold_out_until: ['in_stock', 'is_sold_out'],
  size: ['size 0'],
  price: ['size 0'],
};

/** The column of a row that gives a field; undefined where none does. */
function columnOf({ places }: Entries, field: string): string | undefined {
  const [name = '', part = ''] = field.split('.');
  const names = [`${name}_${part}`, name, ...(OTHERS[name] ?? [])];
  if (name === 'variants') names.push(`size ${part}`, 'price');
  return (
    names.find((one) => places.has(one)) ??
    [...places.keys()].find((target) => target.startsWith(`${name}_`))
  );
}

/** The row of a dish that gives a field: each of its sizes may stand in one of its own. */
function rowOf(rows: readonly Entries[], field: string): Entries | undefined {
  const [, nth] = /^variants\.(\d+)/.exec(field) ?? [];
  return (nth !== undefined && rows.length > 1 ? rows[Number(nth)] : undefined) ?? rows[0];
}

function cellOf({ rows, errors }: RecordSource, field: string, one: Broken): TableCell | undefined {
  // An error of a cell that is known already stands in its own row.
  const own = errors[field]?.includes(one) && rows.find((row) => row.errors[field]?.includes(one));
  const entries = own || rowOf(rows, field);
  if (!entries) return undefined;
  const { row, sheet } = entries.line;
  const column = columnOf(entries, field);
  const place = column === undefined ? undefined : entries.places.get(column);
  return {
    ...{ row, ...(sheet !== undefined && { sheet }) },
    name: dishName(rows[0] ?? entries).slice(0, 100),
    ...{ column: place?.header ?? '', at: place?.at, value: place?.value ?? '' },
  };
}

function withCells(source: RecordSource, errors: FieldErrors): FieldErrors {
  return mapErrors(errors, (one, field) => {
    const cell = cellOf(source, field, one);
    return cell ? { ...one, cell } : one;
  });
}

/** Operations with what is wrong with the cells of their dishes. */
export function withErrors(
  operations: readonly SentOperation[],
  sources: readonly RecordSource[] = [],
): SentOperation[] {
  return operations.map((sent) => {
    const { errors = {} } = sources[placeOf(sent.path)] ?? {};
    return Object.keys(errors).length > 0 ? { ...sent, errors } : sent;
  });
}

/** Results whose errors name the cells that broke the rules. */
export function placeErrors(
  results: readonly OperationResult[],
  sources: readonly RecordSource[] = [],
): OperationResult[] {
  return results.map((result) => {
    const source = result.outcome === 'failed' ? sources[placeOf(result.path)] : undefined;
    return source ? { ...result, errors: withCells(source, result.errors) } : result;
  });
}
