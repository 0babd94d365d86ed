import type { MenuDocument } from '../../db/menu/import-operations.ts';
import type { SentOperation } from '../../db/menu/plan.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { LEFT_KINDS, NO_TARGET, plainName } from '../../db/schema/column-names.ts';
import {
  type AskedTable,
  isReadInPart,
  type TableFacts,
  type TableSource,
} from '../../db/schema/table.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { madeSafe } from '../../db/schema/validation/safe-text.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { listIn } from '../../db/schema/values/row.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { offeredKeys, shownCodes } from './allergen-codes.ts';
import { shownSigns } from './allergen-columns.ts';
import { readDishes, type TableDish } from './dish-rows.ts';
import { bareCell, readAmount } from './numbers.ts';
import { createOwnersMenu } from './owners-menu.ts';
import { isPrice, type Planned, planTable, type TablePlan } from './plan.ts';
import { type Lines, readLines } from './read-lines.ts';
import { headersOf } from './sheets.ts';

/** Columns that only one program writes: all of them show that a table is its export. */
const SIGNS: readonly [TableSource, string][] = [
  ['square', 'item name, variation name, sku'],
  ['square', 'token, item name, variation name'],
  ['loyverse', 'handle, sku, name, category, cost, barcode'],
  ['shopify', 'handle, title, option1 name, option1 value, variant price'],
  [
    'woocommerce',
    'type, sku, name, published, is featured, visibility in catalogue, regular price',
  ],
  ['woocommerce', 'type, sku, name, published, is featured, visibility in catalog, regular price'],
  ['toast', 'menu group, menu item, plu'],
  ['toast', 'menu, menu group, menu item'],
  ['toast', 'menu group name, menu item name'],
  ['odoo', 'internal reference, name, sales price'],
  ['odoo', 'name, sales price, cost, product category'],
  ['lightspeed', 'system id, upc, ean, custom sku, item'],
];

/** The program whose export a table is, by its headers; null when no program is known by them. */
function tableSource(headers: readonly string[]): TableSource | null {
  const names = new Set(
    headers.map((header) => plainName(header.replace(/\[[^\]]*\]|\([^)]*\)/g, ' '))),
  );
  const found = SIGNS.find(([, columns]) => columns.split(', ').every((one) => names.has(one)));
  return found?.[0] ?? null;
}

/** Rows that an answer shows as they were read, or names. */
const SHOWN_ROWS = 20;

/** In characters. */
const MAX_SHOWN = 200;

/** A text of a table as an answer shows it: short, on one line, without signs that deceive. */
function shownText(text: string): string {
  return madeSafe(text.slice(0, MAX_SHOWN).replace(/\s+/g, ' '));
}

function columnFacts({ columns = [] }: Planned): TableFacts['columns'] {
  return columns.map(({ header, target, left, examples, mightBe, isAsked }) => ({
    header: shownText(header),
    target: target || null,
    ...(target === NO_TARGET && {
      left: LEFT_KINDS.find((one) => one === left) ?? null,
      examples: examples.map(shownText),
      ...(mightBe.length > 0 && { might_be: [...mightBe] }),
      ...(isAsked && { is_asked: true }),
    }),
  }));
}

function factsOf(read: Lines, plan: Planned, asked: AskedTable, locale: Locale): TableFacts {
  const { encoding, separator, sheets, hidden_rows } = read;
  const { columns = [], headerRow = 1, lines = [], sign = null, allergens, codes, isOwn } = plan;
  const left = asked.left_rows ?? [];
  return {
    ...{ encoding, separator, decimal_sign: sign, locale, header_row: headerRow },
    columns: columnFacts(plan),
    ...(allergens && {
      signs: shownSigns(allergens).map((one) => ({ ...one, sign: shownText(one.sign) })),
    }),
    ...(codes &&
      codes.size > 0 && {
        codes: shownCodes(codes).map((one) => ({
          ...one,
          ...{ column: shownText(one.column), dishes: one.dishes.map(shownText) },
        })),
        code_keys: offeredKeys(codes),
      }),
    ...(isOwn === false && { source: tableSource(columns.map(({ header }) => header)) }),
    ...(sheets && { sheets }),
    ...(hidden_rows && { hidden_rows }),
    ...(left.length > 0 && { left_rows: left.slice(0, SHOWN_ROWS).map(shownText) }),
    rows: lines.slice(0, SHOWN_ROWS).map((line) => ({
      row: line.row,
      cells: columns.map(({ target }, at) => {
        const cell = bareCell(line.cells[at]);
        return shownText(isPrice(target) ? readAmount(cell, sign).text : String(cell));
      }),
    })),
  };
}

/** Finds the answers that the restaurant gave of a table with the same headers. */
export type FindKept = (
  headers: readonly string[],
) => Promise<Pick<AskedTable, 'places' | 'signs'> | null>;

/** The origin of one of a table's records: where each of its cells stands. */
export type RecordSource = Pick<TableDish, 'rows' | 'errors'>;

/** A table as a document of dishes, and how it was read. */
export type ReadTable = MenuDocument & {
  table: TableFacts;
  made: readonly SentOperation[];
  sources: readonly RecordSource[];
};

/** A cell that is wrong is told as such. */
const hasPrice = ({ sent, errors }: TableDish) =>
  Object.keys(errors).length > 0 ||
  (sent.price !== undefined && sent.price !== '') ||
  sent.price_on_request === true ||
  listIn(sent.variants).length > 0 ||
  listIn(sent.offers).length > 0;

/**
 * Says which new dishes would cost nothing. Each is refused, unless its sender takes it so; a table in
 * which none has a price is asked about as a whole.
 */
function missingPrices(dishes: readonly TableDish[], asked: AskedTable) {
  const missing = dishes.filter((one) => !one.present && !hasPrice(one));
  const rows = missing.flatMap(({ rows: [first] }) => (first ? [first.line.row] : []));
  const shown = rows.slice(0, SHOWN_ROWS);
  if (missing.length === 0 || asked.without_prices) return { rows: shown, errors: [] };
  if (!dishes.some(hasPrice)) {
    return { rows: shown, errors: [broken('csvNoPrices', { n: missing.length })] };
  }
  for (const one of missing) one.errors.price = [broken('required')];
  return { rows: shown, errors: [] };
}

/** The part of a dish of the menu that an import may change, with what finds it. */
function allowed(sent: Input, fields: ReadonlySet<string>): Input {
  const isAllowed = (name: string) =>
    ['id', 'external_id', ...fields].includes(name.replace(/(?<=.)_external_id$/, '_id'));
  return Object.fromEntries(Object.entries(sent).filter(([name]) => isAllowed(name)));
}

/** The operations that make records which some dish still names. */
function named(made: readonly SentOperation[], items: readonly Input[]): SentOperation[] {
  const names = new Set(items.flatMap((item) => Object.values(item)));
  const kept = made.toReversed().filter(({ operation, name }) => {
    const isNamed = names.has(name);
    const { data } = operation as { data: Input };
    if (isNamed) for (const value of Object.values(data)) names.add(value);
    return isNamed;
  });
  return kept.toReversed();
}

/**
 * Dishes of a table with a header; columns without a meaning are named.
 *
 * @param asked what the sender says of the table; the rest is found
 * @param menu in which sections, wineries and dishes are looked for by their names
 * @param findKept looks for what was said of such a table before, where the sender says nothing
 * @param fields of dishes of the menu that may change; null for all
 */
export async function readDishTable(
  document: Buffer,
  asked: AskedTable,
  menu: StoredMenu,
  { findKept, fields }: { findKept: FindKept; fields: ReadonlySet<string> | null },
): Promise<ReadTable | { errors: FieldErrors; table?: TableFacts }> {
  const { default_locale, supported_locales, currency, timezone } = menu.settings;
  const locale = asked.locale ?? default_locale;
  if (!supported_locales.includes(locale)) return { errors: { locale: [broken('invalid')] } };
  const read = await readLines(document, asked, locale);
  if ('errors' in read) return read;
  const kept = await findKept(headersOf(read.lines, locale).map(shownText));
  const said: AskedTable = {
    ...asked,
    places: asked.places ?? (asked.columns || asked.locale ? undefined : kept?.places),
    signs: { ...kept?.signs, ...asked.signs },
  };
  const planned = planTable(read.lines, said, { locale, currency, separator: read.separator });
  const table = factsOf(read, planned, asked, locale);
  const { errors, columns = [] } = planned;
  if (Object.keys(errors).length > 0) return { errors, table };
  const owners = createOwnersMenu(menu, locale);
  const reading = readDishes(planned as TablePlan, owners, { locale, timezone });
  const dishes = await inSlices(reading);
  const prices = missingPrices(dishes, asked);
  if (prices.rows.length > 0) table.without_price = prices.rows;
  if (prices.errors.length > 0) return { errors: { body: prices.errors }, table };
  if (isReadInPart(table)) table.keeps_missing = true;
  const items = dishes.map(({ sent, present }) =>
    present && fields ? allowed(sent, fields) : sent,
  );
  return {
    lists: { items },
    ignored: columns.flatMap(({ target, header, left, examples }, at) => {
      const isNamed = target === NO_TARGET && (header !== '' || examples.length > 0);
      return isNamed && left !== 'chosen' ? [shownText(header) || String(at + 1)] : [];
    }),
    rows: dishes.map(({ rows: [first] }) => first?.line.row ?? 0),
    ...{ table, made: fields ? named(owners.made, items) : owners.made, sources: dishes },
  };
}
