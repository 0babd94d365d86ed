import { groupBy } from '../runtime/group-by.ts';
import { listIn, type Row } from '../schema/values/row.ts';
import { type InDish, numberOf, textOf } from './in-menu.ts';
import { known } from './in-rest.ts';
import type { Incoming } from './incoming.ts';
import type { Reported } from './report.ts';
import { textOfMarkup } from './square-in.ts';

// Square’s item library as a table: one row a variation, columns by their names, which vary by plan.

const SET = /^Modifier Set - (.+)$/;

/** Columns that are read, and those of tills and shops that say nothing of a menu. */
const READ = known(
  [
    ...['Token', 'Item_Name', 'Variation_Name', 'SKU', 'Description', 'Categories', 'Category'],
    ...['Reporting_Category', 'Price', 'Archived', 'Item_Type', 'GTIN', 'Permalink'],
    ...['SEO_Title', 'SEO_Description', 'Reference_Handle', 'Sellable', 'Stockable'],
    ...['Square_Online_Item_Visibility', 'Shipping_Enabled', 'Self-serve_Ordering_Enabled'],
    ...['Delivery_Enabled', 'Pickup_Enabled', 'Skip_Detail_Screen_in_POS'],
    ...['Social_Media_Link_Title', 'Social_Media_Link_Description'],
  ].join(' '),
);
/** Columns of each location, tax and group that say nothing of a menu, or that are read. */
const OF_STOCK = /^(Current Quantity|New Quantity|Stock Alert Enabled|Stock Alert Count) /;
const TAX = /^Tax - /;
const isRead = (column: string) =>
  READ.has(column.replaceAll(' ', '_')) || [SET, TAX, OF_STOCK].some((form) => form.test(column));

/** Cells that say no, or nothing. */
const NOTHING = /^(N|No|0|false|hidden|unavailable)?$/i;
const isYes = (cell: unknown) => /^(Y|Yes|true|1)$/i.test(textOf(cell));

/** A price as the table writes it: a sign of the currency, and one for thousands perhaps. */
function priceIn(cell: unknown): number | null {
  if (typeof cell === 'number') return cell;
  const text = textOf(cell).replace(/[^\d.,-]/g, '');
  const plain = /,\d{1,2}$/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text.replaceAll(',', '');
  return numberOf(plain);
}

/** The category of a row: the first one, without the id that may stand in brackets. */
function categoryOf(row: Row): { name: string; isOne: boolean } {
  const cell = textOf(row.Categories) || textOf(row.Category) || textOf(row['Reporting Category']);
  const names = cell.split(/,\s*(?![^(]*\))/).map((one) => one.replace(/\s*\([^)]*\)$/, '').trim());
  const name = names[0]?.split('>').at(-1)?.trim() ?? '';
  return { name, isOne: names.length <= 1 };
}

/** Names the cells of a dish’s rows that have no place here. */
function nameRest({ losses, fact }: Incoming, record: Reported, rows: readonly Row[]) {
  for (const row of rows) {
    for (const [column, cell] of Object.entries(row)) {
      if (TAX.test(column) && isYes(cell)) fact(null, '', 'vat');
      // A location has it where its column says yes; a no is a loss.
      const isUsual = column.startsWith('Enabled ') ? isYes(cell) : NOTHING.test(textOf(cell));
      if (!isUsual && !isRead(column)) losses.lossy(record, column, 'noPlace');
    }
  }
}

/** The groups of here by their names in the table; null for one that is not here. */
type Sets = ReadonlyMap<string, number | null>;

/** The groups of a dish, where all of them are here; else they stay as they are. */
function groupsOf({ losses }: Incoming, record: Reported, row: Row, sets: Sets): Row {
  const own = [...sets].filter(([set]) => isYes(row[`Modifier Set - ${set}`]));
  const ids = own.map(([, id]) => id);
  if (sets.size === 0) return {};
  if (!ids.includes(null)) return { modifier_group_ids: ids };
  losses.lossy(record, 'modifier_group_ids', 'noPlace');
  return {};
}

function dishOf(incoming: Incoming, name: string, rows: readonly Row[], sets: Sets): InDish {
  const { slug, find } = incoming.options;
  const [first = {}] = rows;
  const sku = textOf(first.SKU);
  const isOurs = sku.startsWith(`${slug}.items.`) || Boolean(find('items', { external_id: sku }));
  const key = (sku !== '' && isOurs ? sku : textOf(first.Token)) || `square.${name}`;
  const record = incoming.record('items', key, name);
  const { name: section, isOne } = categoryOf(first);
  if (!isOne) incoming.losses.lossy(record, 'category_id', 'oneSection');
  nameRest(incoming, record, rows);
  const isOpen = (row: Row) => /^variable$/i.test(textOf(row.Price));
  const open = rows.filter(isOpen);
  const isOnRequest = open.length === rows.length;
  if (isOnRequest && rows.length > 1) incoming.losses.lossy(record, 'variants', 'priceOnRequest');
  const sizes = rows.map((row) => ({
    ...{ key: textOf(row.Token), name: textOf(row['Variation Name']) },
    price: isOpen(row) ? null : priceIn(row.Price),
  }));
  const [only, second] = sizes;
  return {
    ...{ key, section: section || 'Menu', name },
    description: textOfMarkup(textOf(first.Description)),
    ...(second && !isOnRequest ? { price: null, sizes } : { price: only?.price ?? null }),
    isOnRequest,
    isHidden: rows.every((row) => isYes(row.Archived)),
    fields: groupsOf(incoming, record, first, sets),
  };
}

/** The rows of a table by the names of its columns, from lists of cells with the header first. */
function* rowsOf(table: unknown): Generator<void, { columns: string[]; rows: Row[] }> {
  const [header, ...lines] = listIn(table);
  const columns = listIn(header).map((cell) => textOf(cell).replace(/^\ufeff/, ''));
  const rows: Row[] = [];
  for (const line of lines) {
    const cells = listIn(line);
    rows.push(Object.fromEntries(columns.map((column, at) => [column, cells[at]])));
    yield;
  }
  return { columns, rows };
}

/** Square’s item library: lists of cells, the header first. A step is one dish. */
export function* squareCsvIn(source: unknown, incoming: Incoming): Generator<void, boolean> {
  const { columns, rows } = yield* rowsOf(source);
  if (!columns.includes('Item Name') || !columns.includes('Price')) return false;
  const sets = new Map<string, number | null>();
  for (const set of columns.flatMap((column) => SET.exec(column)?.[1] ?? [])) {
    const [one, second] = incoming.options.named('modifier_groups', set);
    sets.set(set, one && !second ? (one.id as number) : null);
    // The table names the groups of a dish, and has no column for their options.
    const isHere = sets.get(set) !== null;
    if (!isHere) incoming.losses.leftOut(incoming.record('modifier_groups', set, set), 'noPlace');
  }
  const dishes = groupBy(rows, (row) => textOf(row['Item Name']));
  for (const [name, own] of dishes) {
    const dish = dishOf(incoming, name, own, sets);
    incoming.section({ key: `square.${dish.section}`, name: dish.section });
    incoming.dish(dish.key, () => ({ ...dish, section: `square.${dish.section}` }));
    yield;
  }
  return true;
}
