import { parse } from 'csv-parse/sync';
import { groupBy } from '../runtime/group-by.ts';
import type { Row } from '../schema/values/row.ts';
import { type ExchangeImport, type InDish, type InOptions, numberOf, textOf } from './in-menu.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { textOfMarkup } from './square-in.ts';

// Square’s item library as a table: one row a variation, columns by their names, which vary by plan.

const SET = /^Modifier Set - (.+)$/;
const LOCATION = /^(Price|Enabled|Current Quantity|New Quantity|Stock Alert) (.+)$/;

/** Columns that are read, and those of shops that say nothing of a menu. */
const READ = new Set([
  ...['Token', 'Item Name', 'Variation Name', 'SKU', 'Description', 'Categories', 'Category'],
  ...['Reporting Category', 'Price', 'Archived', 'Customer-facing Name', 'Reference Handle'],
]);

/** A price as the table writes it: a sign of the currency, and one for thousands perhaps. */
function priceIn(cell: string): number | null {
  const text = cell.replace(/[^\d.,-]/g, '');
  const plain = /,\d{1,2}$/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text.replaceAll(',', '');
  return numberOf(plain);
}

/** The category of a row: the first one, without the id that may stand in brackets. */
function categoryOf(row: Row): { name: string; isOne: boolean } {
  const cell = textOf(row.Categories) || textOf(row.Category) || textOf(row['Reporting Category']);
  const names = cell.split(/,\s*(?![^(]*\))/).map((one) => one.replace(/\s*\([^)]*\)$/, '').trim());
  const [name = ''] =
    names[0]
      ?.split('>')
      .slice(-1)
      .map((one) => one.trim()) ?? [];
  return { name, isOne: names.length <= 1 };
}

function dishOf(
  incoming: Incoming,
  name: string,
  rows: readonly Row[],
  sets: readonly string[],
  { slug, find }: InOptions,
): InDish {
  const [first = {}] = rows;
  const sku = textOf(first.SKU);
  const isOurs = sku.startsWith(`${slug}.items.`) || Boolean(find('items', { external_id: sku }));
  const key = (sku !== '' && isOurs ? sku : textOf(first.Token)) || `square.${name}`;
  const record = incoming.record('items', key, name);
  const { name: section, isOne } = categoryOf(first);
  if (!isOne) incoming.losses.lossy(record, 'category_id', 'oneSection');
  const isOpen = (row: Row) => /^variable$/i.test(textOf(row.Price));
  const sizes = rows.map((row) => ({
    name: textOf(row['Variation Name']),
    price: isOpen(row) ? null : priceIn(textOf(row.Price)),
  }));
  const [only, second] = sizes;
  const others = Object.entries(first).filter(
    ([column, cell]) =>
      textOf(cell) !== '' &&
      !READ.has(column) &&
      !SET.test(column) &&
      !/^(N|No|0|false|visible|hidden|Prepared food and beverage|Regular|Physical good|Y)$/i.test(
        textOf(cell),
      ),
  );
  for (const [column] of others) incoming.losses.lossy(record, column, 'noPlace');
  if (Object.keys(first).some((column) => LOCATION.test(column) && textOf(first[column]) !== '')) {
    const prices = rows.flatMap((row) =>
      Object.entries(row).filter(([column, cell]) => /^Price /.test(column) && textOf(cell) !== ''),
    );
    if (prices.length > 0) incoming.losses.lossy(record, 'price', 'noPlace');
  }
  if (/^Y/i.test(textOf(first['Contains Alcohol']))) {
    incoming.losses.lossy(record, 'Contains Alcohol', 'noPlace');
  }
  return {
    ...{ key, section: section || 'Menu', name },
    description: textOfMarkup(textOf(first.Description)),
    ...(second ? { price: null, sizes } : { price: only?.price ?? null }),
    isOnRequest: rows.every(isOpen),
    groups: sets.filter((set) => /^Y/i.test(textOf(first[`Modifier Set - ${set}`]))),
    isHidden: rows.every((row) => /^Y/i.test(textOf(row.Archived))),
  };
}

/** Square’s item library as CSV. A step is one dish. */
export function* squareCsvIn(
  source: unknown,
  options: InOptions,
): Generator<void, ExchangeImport | null> {
  const table: Row[] = parse(textOf(source), {
    ...{ columns: true, bom: true, relax_column_count: true, skip_empty_lines: true, trim: true },
    skip_records_with_error: true,
  });
  const [first] = table;
  if (!first || !('Item Name' in first)) return null;
  const incoming = createIncoming('square_csv', options);
  const sets = Object.keys(first).flatMap((column) => SET.exec(column)?.[1] ?? []);
  for (const set of sets) {
    // The table names the groups of a dish, and has no column for their options.
    incoming.losses.leftOut(incoming.record('modifier_groups', set, set), 'noPlace');
  }
  const dishes = groupBy(table, (row) => textOf(row['Item Name']));
  for (const [name, rows] of dishes) {
    const dish = dishOf(incoming, name, rows, sets, options);
    incoming.section({ key: `square.${dish.section}`, name: dish.section });
    incoming.dish({ ...dish, section: `square.${dish.section}` });
    yield;
  }
  return incoming.finish();
}
