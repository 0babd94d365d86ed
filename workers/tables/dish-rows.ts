import type { MenuDocument } from '../../db/menu/import-operations.ts';
import type { SentOperation } from '../../db/menu/plan.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { NO_TARGET, OWNERS_COLUMNS } from '../../db/schema/column-names.ts';
import { dish } from '../../db/schema/dish.ts';
import { dishColumns, fromCells } from '../../db/schema/dish-table.ts';
import type { Field } from '../../db/schema/field.ts';
import type { AskedTable, TableFacts } from '../../db/schema/table.ts';
import { createIgnoredFields, type Input } from '../../db/schema/validation/check-input.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';
import { madeSafe } from '../../db/schema/validation/safe-text.ts';
import { type Locale, type Translations, textsIn } from '../../db/schema/values/locale.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { allergensOf, shownSigns } from './allergen-columns.ts';
import { readNumber } from './numbers.ts';
import { createOwnersMenu, type Named, type OwnersMenu, referTo, sameName } from './owners-menu.ts';
import { bareCell, headersOf, isPrice, type Planned, planTable, type TablePlan } from './plan.ts';
import { type Line, type Lines, readLines } from './read-lines.ts';

/** Columns that hold names, which have one line. */
const LINES = new Set(['description', 'photo_alt']);
const oneLine = new Set(
  dishColumns.flatMap(({ name, field, fieldName }) =>
    field?.kind === 'text' && !LINES.has(fieldName) ? [name] : [],
  ),
);
const ownersColumns: readonly string[] = OWNERS_COLUMNS;

/** A row's cells by the meaning of their columns; sizes stand in `sizes`, and what the price is called. */
interface Entries {
  row: number;
  line: Line;
  cells: Map<string, string>;
  sizes: { label: string; price: string }[];
  priceLabel: string;
}

function entriesOf(line: Line, { columns, sign, allergens }: TablePlan): Entries {
  const { row, cells } = line;
  const entries: Entries = { row, line, cells: new Map(), sizes: [], priceLabel: '' };
  for (const [at, { header, target }] of columns.entries()) {
    // A short row says nothing of the columns that it lacks.
    if (target === NO_TARGET || at >= cells.length || allergens?.at.has(at)) continue;
    const cell = bareCell(cells[at]);
    const text = isPrice(target) ? readNumber(cell, sign) : String(cell);
    if (target === 'price') entries.priceLabel = header;
    if (target !== 'size') entries.cells.set(target, oneLine.has(target) ? sameLine(text) : text);
    else if (text !== '') entries.sizes.push({ label: header, price: text });
  }
  return entries;
}

function sameLine(text: string): string {
  return text.replace(/\s*[\t\n\r]+\s*/g, ' ');
}

/**
 * A dish with one priced size has a price, and no sizes. Beside sizes a price of its own is one, too: a
 * bottle stands under "Price", and the glass has its column.
 */
function sizesOf({ cells, sizes, priceLabel }: Entries): Input {
  const name = cells.get('size_name');
  const price = cells.get('price');
  if (name) return { variants: [{ label: sameLine(name), price: price ?? '' }] };
  const isOwn = price && sizes.every((one) => Number(one.price) !== Number(price));
  const all = isOwn ? [{ label: priceLabel, price }, ...sizes] : sizes;
  if (sizes.length > 0 && all.length > 1) return { variants: all };
  return sizes.length === 1 ? { price: sizes[0]?.price } : {};
}

const translated = Object.entries<Field>(dish.fields).flatMap(([name, { isTranslated }]) =>
  isTranslated ? [name] : [],
);

/** Keeps the texts of a dish in the languages that its row lacks. */
function keepTexts(
  sent: Input,
  { cells }: Entries,
  present: Readonly<Record<string, unknown>>,
): void {
  for (const field of translated) {
    if (!(field in sent)) continue;
    const texts = Object.entries(textsIn(present[`${field}_translations`]));
    const kept = texts.filter(([locale]) => !cells.has(`${field}_${locale}`));
    sent[field] = { ...Object.fromEntries(kept), ...textsIn(sent[field]) };
  }
}

/** Every new dish has a name in the language that all others fall back to. */
function withFallback(sent: Input, fallback: Locale): Input {
  const name = sent.name as Translations | undefined;
  const [first] = Object.values(name ?? {});
  return name && !name[fallback] && first
    ? { ...sent, name: { ...name, [fallback]: first } }
    : sent;
}

/** The section of a row: its own cell, else the title above it. */
function sectionOf({ cells, row }: Entries, owners: OwnersMenu, title: Named | null): Named | null {
  const name = sameLine(cells.get('section') ?? '');
  return name === '' ? title : owners.section(name, row);
}

/** A row with nothing but a name is the title of a section, in a table without a column of sections. */
function isTitle({ cells, sizes }: Entries, { columns }: TablePlan): boolean {
  const hasSections = columns.some(({ target }) => /^(section|category_)/.test(target));
  const hasPrices = columns.some(({ target }) => isPrice(target));
  if (hasSections || !hasPrices || sizes.length > 0) return false;
  const filled = [...cells].filter(([, text]) => text !== '');
  return filled.length === 1 && /^name_/.test(filled[0]?.[0] ?? '');
}

/** Owners' dishes have no keys: names find them. Rows of our own tables say which dish they mean. */
function dishOf(
  entries: Entries,
  plan: TablePlan,
  owners: OwnersMenu,
  section: Named | null,
): Input {
  const { cells, row } = entries;
  const { allergens } = plan;
  const sent: Input = {
    ...fromCells(cells),
    ...sizesOf(entries),
    ...(allergens && allergensOf(allergens, entries.line)),
  };
  const type = sameLine(cells.get('type') ?? '');
  const winery = sameLine(cells.get('winery') ?? '');
  if (section) Object.assign(sent, referTo('category', section));
  if (section && type) Object.assign(sent, referTo('type', owners.type(type, section, row)));
  if (winery) Object.assign(sent, referTo('winery', owners.winery(winery, row)));
  const isKeyed = plan.columns.some(({ target }) => target === 'id' || target === 'external_id');
  if (isKeyed) {
    const meant = owners.keyed(sent.id, sent.external_id);
    if (meant) keepTexts(sent, entries, meant);
    return sent;
  }
  const [name = ''] = Object.values(textsIn(sent.name));
  const present = owners.dish(name, section, cells.get('vintage') ?? '');
  if (!present) return withFallback(sent, owners.fallback);
  keepTexts(sent, entries, present);
  return { id: present.id, ...sent };
}

/** The dishes of rows, one a step, and the row of each. */
function* readDishes(
  plan: TablePlan,
  owners: OwnersMenu,
): Generator<void, { items: Input[]; rows: number[] }> {
  const [items, rows]: [Input[], number[]] = [[], []];
  const bySize = new Map<string, Input>();
  let title: Named | null = null;
  for (const line of plan.lines) {
    yield;
    const entries = entriesOf(line, plan);
    if (isTitle(entries, plan)) {
      const [name = ''] = [...entries.cells.values()].filter(Boolean);
      title = owners.section(name, entries.row);
      continue;
    }
    const section = sectionOf(entries, owners, title);
    const { cells } = entries;
    const names = [...cells].filter(([target]) => target.startsWith('name_'));
    // Rows of one dish, one below the other, are its sizes.
    const key = JSON.stringify([
      section,
      names.map(([, name]) => sameName(name)),
      cells.get('vintage'),
    ]);
    const first = cells.get('size_name') ? bySize.get(key) : undefined;
    if (first) {
      (first.variants as unknown[]).push(...(sizesOf(entries).variants as unknown[]));
      continue;
    }
    const dish = dishOf(entries, plan, owners, section);
    if (cells.get('size_name')) bySize.set(key, dish);
    items.push(dish);
    rows.push(entries.row);
  }
  return { items, rows };
}

/** Rows that an answer shows as they were read. */
const SHOWN_ROWS = 20;

/** In characters. */
const MAX_SHOWN = 200;

/** A text of a table as an answer shows it: short, on one line, without signs that deceive. */
function shownText(text: string): string {
  return madeSafe(text.slice(0, MAX_SHOWN).replace(/\s+/g, ' '));
}

function factsOf(read: Lines, plan: Planned): TableFacts {
  const { encoding, separator } = read;
  const { columns = [], headerRow = 1, lines = [], sign = null, allergens } = plan;
  return {
    ...{ encoding, separator, decimal_sign: sign, header_row: headerRow },
    columns: columns.map(({ header, target }) => ({
      header: shownText(header),
      target: target || null,
    })),
    ...(allergens && {
      signs: shownSigns(allergens).map((one) => ({ ...one, sign: shownText(one.sign) })),
    }),
    rows: lines.slice(0, SHOWN_ROWS).map((line) => ({
      row: line.row,
      cells: columns.map(({ target }, at) => {
        const cell = bareCell(line.cells[at]);
        return shownText(isPrice(target) ? readNumber(cell, sign) : String(cell));
      }),
    })),
  };
}

/** Finds the meanings of columns that the restaurant gave a table with the same headers. */
export type FindKept = (headers: readonly string[]) => Promise<readonly string[] | null>;

/** A table as a document of dishes, and how it was read. */
export type ReadTable = MenuDocument & { table: TableFacts; made: readonly SentOperation[] };

/**
 * Dishes of a table with a header; columns without a meaning are ignored.
 *
 * @param asked what the sender says of the table; the rest is found
 * @param findKept looks for the meanings that columns had before, where the sender gives none
 * @param menu in which sections, wineries and dishes are looked for by their names
 */
export async function readDishTable(
  document: Buffer,
  asked: AskedTable,
  menu: StoredMenu,
  findKept: FindKept,
): Promise<ReadTable | { errors: FieldErrors; table?: TableFacts }> {
  const read = await readLines(document, asked);
  if ('errors' in read) return read;
  const locale = menu.settings.default_locale;
  const headers = headersOf(read.lines, locale);
  const places = asked.places ?? (asked.columns ? undefined : await findKept(headers));
  const place = { locale, currency: menu.settings.currency, separator: read.separator };
  const planned = planTable(read.lines, { ...asked, places: places ?? undefined }, place);
  const table = factsOf(read, planned);
  const { errors, columns = [] } = planned;
  if (Object.keys(errors).length > 0) return { errors, table };
  const owners = createOwnersMenu(menu, locale);
  const reading = readDishes(planned as TablePlan, owners);
  const { items, rows } = await inSlices(reading, constants.writeSlice);
  const ignored = createIgnoredFields();
  const unknown = columns.filter(({ target, header }) => target === NO_TARGET && header !== '');
  ignored.note(Object.fromEntries(unknown.map(({ header }) => [header, null])), ownersColumns);
  return { lists: { items }, ignored: ignored.paths(), rows, table, made: owners.made };
}
