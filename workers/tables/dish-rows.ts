import { isOnlySize } from '../../db/schema/column-names.ts';
import { dish } from '../../db/schema/dish.ts';
import { fromCells } from '../../db/schema/dish-table.ts';
import type { Field } from '../../db/schema/field.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';
import { type Locale, type Translations, textsIn } from '../../db/schema/values/locale.ts';
import { listIn } from '../../db/schema/values/row.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { allergensOf } from './allergen-columns.ts';
import { type Named, type OwnersMenu, referTo, sameName } from './owners-menu.ts';
import { isPrice, type TablePlan } from './plan.ts';
import { dishName, type Entries, type Reading, rowEntries, sameLine } from './row-entries.ts';

type StoredDish = StoredMenu['dishes'][number];

/** A dish of a table, and the rows in which it stands. */
export interface TableDish {
  sent: Input;
  rows: Entries[];
  /** The dish of the menu that it is. */
  present: StoredDish | undefined;
  /** Errors of its cells, before any rule of dishes. */
  errors: FieldErrors;
}

/**
 * A dish with one priced size has a price, and no sizes. Beside sizes a price of its own is one, too: a
 * bottle stands under "Price", and the glass has its column.
 */
function sizesOf({ cells, sizes, priceLabel, sizeLabel }: Entries): Input {
  const price = cells.get('price');
  if (sizeLabel) return { variants: [{ label: sameLine(sizeLabel), price: price ?? '' }] };
  const isOwn = price && sizes.every((one) => Number(one.price) !== Number(price));
  const all = isOwn ? [{ label: priceLabel, price }, ...sizes] : sizes;
  if (sizes.length > 0 && all.length > 1) return { variants: all };
  return sizes.length === 1 ? { price: sizes[0]?.price } : {};
}

const translated = Object.entries<Field>(dish.fields).flatMap(([name, { isTranslated }]) =>
  isTranslated ? [name] : [],
);

/**
 * A name that stands in the fallback language only because every dish needs one there follows the name
 * that it repeats.
 */
function followCopy(sent: Input, present: Readonly<Record<string, unknown>>, fallback: Locale) {
  const before = textsIn(present.name_translations);
  const given = textsIn(sent.name);
  const copied = Object.keys(given).find(
    (locale) => before[locale as Locale] === before[fallback],
  ) as Locale | undefined;
  if (copied === undefined || copied === fallback || given[fallback]) return;
  sent.name = { ...(sent.name as Input), [fallback]: given[copied] };
}

/** Every new dish has a name in the language that all others fall back to. */
function withFallback(sent: Input, fallback: Locale): Input {
  const name = sent.name as Translations | undefined;
  const first = Object.values(name ?? {}).find(Boolean);
  return name && !name[fallback] && first
    ? { ...sent, name: { ...name, [fallback]: first } }
    : sent;
}

/** Adds the labels that columns of one label each say, and takes away those that they deny. */
function labelsOf({ labels }: Entries, present: StoredDish | undefined): Input {
  if (labels.size === 0) return {};
  const kept = listIn(present?.labels).filter((key) => !labels.has(String(key)));
  return { labels: [...kept, ...[...labels].flatMap(([key, has]) => (has ? [key] : []))] };
}

/** Owners' dishes have no keys: names find them. Rows of our own tables say which dish they mean. */
function dishOf(entries: Entries, plan: TablePlan, owners: OwnersMenu, section: Named | null) {
  const { cells, line } = entries;
  const { row } = line;
  const { allergens } = plan;
  const sent: Input = {
    ...fromCells(cells),
    ...sizesOf(entries),
    ...(allergens && allergensOf(allergens, line)),
  };
  const type = sameLine(cells.get('type') ?? '');
  const winery = sameLine(cells.get('winery') ?? '');
  if (section) Object.assign(sent, referTo('category', section));
  if (section && type) Object.assign(sent, referTo('type', owners.type(type, section, row)));
  if (winery) Object.assign(sent, referTo('winery', owners.winery(winery, row)));
  const isKeyed = plan.columns.some(({ target }) => target === 'id' || target === 'external_id');
  const meant = isKeyed ? owners.keyed(sent.id, sent.external_id) : undefined;
  const vintage = cells.get('vintage') ?? '';
  const byName =
    !meant && !plan.isOwn ? owners.dish(dishName(entries), section, vintage) : undefined;
  // A key is new to a dish without one; a dish that has another key is another dish.
  const isOther = isKeyed && Boolean(sent.external_id) && (byName?.external_id ?? null) !== null;
  const present = meant ?? (isOther ? undefined : byName);
  Object.assign(sent, labelsOf(entries, present));
  if (!present) return { sent: withFallback(sent, owners.fallback), present };
  followCopy(sent, present, owners.fallback);
  return { sent: meant ? sent : { id: present.id, ...sent }, present };
}

/** Whether a row has a text in these columns alone. */
function hasOnly({ cells, sizes }: Entries, isIt: (target: string) => boolean): boolean {
  const filled = [...cells].filter(([, text]) => text !== '');
  return sizes.length === 0 && filled.length > 0 && filled.every(([target]) => isIt(target));
}

const isSection = (target: string) => target === 'section';
const isName = (target: string) => target.startsWith('name_');

/** Finds the section of each row: its own cell, a title above it, or the cell of a row above it. */
function createSections({ columns }: TablePlan, owners: OwnersMenu) {
  const hasSections = columns.some(({ target }) => /^(section|category_)/.test(target));
  const hasPrices = columns.some(({ target }) => isPrice(target));
  const hasNames = columns.some(({ target }) => isName(target));
  let current: Named | null = null;
  let sheet: string | undefined;
  return {
    /** Whether a row is the title of a section, which holds for the rows below it. */
    isTitle(entries: Entries): boolean {
      const { line } = entries;
      if (line.sheet !== sheet) current = null;
      ({ sheet } = line);
      const [name = '', ...others] = [...entries.cells.values()].filter(Boolean);
      const isRow = hasSections
        ? hasNames && hasOnly(entries, isSection)
        : hasPrices && hasOnly(entries, isName) && others.length === 0;
      if (!isRow) return false;
      current = owners.section(sameLine(name), line.row);
      return true;
    },
    of({ cells, line }: Entries): Named | null {
      const name = sameLine(cells.get('section') ?? '');
      if (name !== '') current = owners.section(name, line.row);
      // A sheet of several is a section where nothing else is one.
      else if (!current && line.sheet !== undefined && !hasSections) {
        current = owners.section(line.sheet, line.row);
      }
      return current;
    },
  };
}

/** The dish above a row to which it belongs, as one more size or language. */
function createGroups() {
  const byKey = new Map<string, TableDish>();
  const byHandle = new Map<string, TableDish>();
  let last: TableDish | undefined;
  const handleOf = ({ cells }: Entries) =>
    cells.get('handle') || cells.get('external_id') || cells.get('code') || '';
  const keyOf = ({ cells }: Entries, section: Named | null) => {
    const names = [...cells].filter(([target]) => isName(target));
    const texts = names.map(([, name]) => sameName(name));
    return JSON.stringify([section, texts, cells.get('vintage'), cells.get('handle')]);
  };
  return {
    /** @param section undefined while it is not known: a row without a name takes that of its dish */
    find(entries: Entries, section: Named | null | undefined): TableDish | undefined {
      const handle = handleOf(entries);
      if (entries.language) return handle === '' ? undefined : byHandle.get(handle);
      if (entries.sizeLabel === '') return undefined;
      if (dishName(entries) === '') {
        const ownHandle = entries.cells.get('handle') ?? '';
        return ownHandle === '' ? last : byHandle.get(ownHandle);
      }
      return section === undefined ? undefined : byKey.get(keyOf(entries, section));
    },
    add(found: TableDish, section: Named | null): void {
      const [entries] = found.rows;
      if (!entries) return;
      last = found;
      const handle = handleOf(entries);
      if (handle !== '') byHandle.set(handle, found);
      if (entries.sizeLabel !== '') byKey.set(keyOf(entries, section), found);
    },
  };
}

/** Adds a row to its dish: a size, or its texts in one more language. */
function join(found: TableDish, entries: Entries): void {
  found.rows.push(entries);
  Object.assign(found.errors, entries.errors);
  const { sent } = found;
  if (entries.language) {
    const row = fromCells(entries.cells);
    for (const field of translated) {
      if (field in row) sent[field] = { ...textsIn(sent[field]), ...textsIn(row[field]) };
    }
    return;
  }
  const sizes = listIn(sent.variants);
  sent.variants = [...sizes, ...listIn(sizesOf(entries).variants)];
}

/** A dish whose only size is called `Regular` has a price, and no sizes. */
function withoutOnlySize({ sent, rows }: TableDish): void {
  const [entries, other] = rows;
  if (!entries || other || entries.sizeLabel === '' || !isOnlySize(entries.sizeLabel)) return;
  delete sent.variants;
  const price = entries.cells.get('price');
  if (price) sent.price = price;
}

/** The dishes of rows, a row a step. */
export function* readDishes(
  plan: TablePlan,
  owners: OwnersMenu,
  reading: Reading,
): Generator<void, TableDish[]> {
  const dishes: TableDish[] = [];
  const sections = createSections(plan, owners);
  const groups = createGroups();
  for (const line of plan.lines) {
    yield;
    const entries = rowEntries(line, plan, reading);
    if (sections.isTitle(entries)) continue;
    const above = groups.find(entries, undefined);
    const section = above ? null : sections.of(entries);
    const known = above ?? groups.find(entries, section);
    if (known) {
      join(known, entries);
      continue;
    }
    const { errors } = entries;
    const found: TableDish = { ...dishOf(entries, plan, owners, section), rows: [entries], errors };
    groups.add(found, section);
    dishes.push(found);
  }
  for (const found of dishes) {
    withoutOnlySize(found);
    if (!found.present) found.sent = withFallback(found.sent, owners.fallback);
  }
  return dishes;
}
