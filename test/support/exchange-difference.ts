import { DAY_END, isAlways, weekOf } from '../../db/exchange/day-spans.ts';
import type { ExchangeReport } from '../../db/schema/exchange-report.ts';
import type { Field } from '../../db/schema/field.ts';
import { defaultsOf, isSame } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import { OUT } from './exchange-menu.ts';
import type { Row } from './random-menu.ts';

// The losses of a menu on its way to a service and back that no report names. Each field of each record
// is compared: one that is added to a record fails here until it is carried or named.

const rows = (value: unknown) => (value ?? []) as Row[];

/** The lists that an import brings back. */
export const LISTS = ['categories', 'modifier_groups', 'items'] as const;
type List = (typeof LISTS)[number];

/** The fields of a record that somebody may write. */
export const writableFields = (resource: keyof typeof records): [string, Field][] =>
  Object.entries<Field>(records[resource].fields).filter(([, { input }]) => input !== null);

/** The hours of a section are one value: its first window stands in fields of its own, too. */
export const OF_HOURS = new Set(['time_visibility_enabled', 'weekdays', 'time_start', 'time_end']);

const EMPTY = new Set(['null', '""', '[]', '{}', 'false', '0']);
export const isNothing = (value: unknown) =>
  value === undefined || EMPTY.has(JSON.stringify(value));

/** A moment, in one form. */
const moment = (value: unknown) => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : at;
};

/** A declaration: no allergens are not the same as none that are declared. */
const declared = (value: unknown) =>
  Array.isArray(value) ? `declared ${[...value].sort().join()}` : null;

/** A value without the parts that say nothing. */
function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    return [name, name === 'allergens' ? declared(one) : said(one)] as const;
  });
  return Object.fromEntries(entries.filter(([, one]) => !isNothing(one)));
}

/** The spans of a week; services end a day at 23:59, and hours at every minute are none. */
function spansOf(windows: unknown) {
  const week = weekOf(windows).map((spans) =>
    spans.map(({ from, to }) => ({ from, to: to === DAY_END - 1 ? DAY_END : to })),
  );
  return isAlways(week) || week.every((spans) => spans.length === 0) ? [] : week;
}

/** A menu with the keys of its records, by which those of two menus are paired. */
interface Keyed {
  menu: Row;
  keyOf(list: string, row: Row): string | undefined;
  keyOfId(list: string, id: unknown): unknown;
}

type Left = ReadonlySet<string>;
const NONE: Left = new Set();

/** The records of a list in the order in which guests see them. */
function inOrder(list: List, menu: Row): Row[] {
  const place = (row: Row) => Number(row.display_order ?? 0);
  const sorted = rows(menu[list]).toSorted((left, right) => place(left) - place(right));
  if (list === 'modifier_groups') return sorted;
  if (list === 'items') {
    return inOrder('categories', menu).flatMap(({ id }) =>
      sorted.filter(({ category_id }) => category_id === id),
    );
  }
  const isWine = ({ menu_type }: Row) => menu_type === 'wine';
  const below = (parent: unknown): Row[] =>
    sorted
      .filter(({ parent_id = null }) => parent_id === parent)
      .flatMap((row) => [row, ...below(row.id)]);
  const all = below(null);
  return [...all.filter((row) => !isWine(row)), ...all.filter(isWine)];
}

/** @param placed records that have their places for keys, because the service has none; else null */
function keyed(menu: Row, placed: ((list: List) => readonly Row[]) | null): Keyed {
  const slug = String((menu.settings as Row | undefined)?.slug ?? 'trattoria');
  const keys = new Map<Row, string>();
  const byId = new Map<string, string>();
  for (const list of LISTS) {
    for (const [at, row] of (placed?.(list) ?? rows(menu[list])).entries()) {
      const { id, external_id } = row;
      const key = placed ? `${list}.${at}` : String(external_id ?? `${slug}.${list}.${id}`);
      keys.set(row, key);
      for (const name of [id, external_id]) {
        if (name !== undefined && name !== null) byId.set(`${list}/${name}`, key);
      }
    }
  }
  return {
    menu,
    keyOf: (_, row) => keys.get(row),
    keyOfId: (list, id) => byId.get(`${list}/${id}`) ?? id,
  };
}

/** The value of a field that names records: their keys. */
function referenceOf({ keyOfId }: Keyed, row: Row, name: string, target: string, left: Left) {
  const own = row[name] ?? row[externalName(name)] ?? [];
  const there = [own].flat().filter((id) => !left.has(`${target}/${id}`));
  return there.map((id) => keyOfId(target, id));
}
const pictureOf = ({ photo_id }: Row) => {
  const path = OUT.photoPaths.get(photo_id as number);
  return path === undefined ? null : `${OUT.origin}${path}`;
};

/** The value of a field in the one form in which two of them are compared. */
function comparable(menu: Keyed, list: List, row: Row, [name, field]: [string, Field], left: Left) {
  const value = row[name];
  if (name === 'hours') return row.time_visibility_enabled ? spansOf(value) : [];
  if (name === 'allergens') return declared(value);
  if (name === 'is_active') return value === false;
  // The place in a list is compared as an order.
  if (name === 'display_order') return null;
  // The price of a dish with sizes is that of the cheapest.
  const sizes = rows(row.variants).map(({ price }) => Number(price));
  if (name === 'price' && sizes.length > 0) return Math.min(...sizes);
  if (name === 'sold_out_until') return moment(value);
  if (field.target && name !== 'courses') return referenceOf(menu, row, name, field.target, left);
  if (field.kind === 'choices' && Array.isArray(value)) return [...value].sort();
  const defaults = defaultsOf(records[list]);
  return name in defaults && isSame(value, defaults[name]) ? null : said(value);
}

/** The fields and the records that the reports name. */
function createNamed(out: ExchangeReport, back: ExchangeReport) {
  const outLossy = new Set(out.lossy.map((one) => `${one.resource}/${one.id}/${one.field}`));
  const backLossy = new Set(back.lossy.map((one) => `${one.resource}/${one.id}/${one.field}`));
  const backFacts = new Set(
    back.lossy.flatMap(({ resource, field }) => (resource === 'settings' ? [field] : [])),
  );
  return {
    leftOut: new Set(out.left_out.map(({ resource, id }) => `${resource}/${id}`)),
    backLeft: new Set(back.left_out.map(({ resource, id }) => `${resource}/${id}`)),
    isNamed: (list: string, id: unknown, told: unknown, field: string) =>
      outLossy.has(`${list}/${id}/${field}`) || backLossy.has(`${list}/${told}/${field}`),
    isFactNamed: (field: string) => outLossy.has(`settings/null/${field}`) || backFacts.has(field),
  };
}
type Named = ReturnType<typeof createNamed>;

/** Settings that stand in a document, but that no import brings back: their texts must be there. */
const IN_DOCUMENT = new Set(['name', 'currency', 'default_locale']);
/** Settings that are names of Lavagna alone. */
const OWN = new Set(['slug', 'is_active']);

function settingsLost(before: Row, document: unknown, named: Named): string[] {
  const settings = before.settings as Row;
  const defaults = defaultsOf(records.settings);
  const text = JSON.stringify(document);
  return writableFields('settings').flatMap(([name]) => {
    const value = settings[name];
    const isUsual = isNothing(value) || (name in defaults && isSame(value, defaults[name]));
    if (isUsual || OWN.has(name) || named.isFactNamed(name)) return [];
    // A language may have a country behind it, which tells its script.
    const written = JSON.stringify(value)
      .slice(0, -1)
      .replace(/^"zh-.*/, '"zh');
    const isThere = IN_DOCUMENT.has(name) && text.includes(written);
    return isThere ? [] : [`settings: ${name} ${JSON.stringify(value)}`];
  });
}

/** Records of kinds that no service has: each must be named. */
function othersLost(before: Row, named: Named, out: ExchangeReport): string[] {
  const lost = ['types', 'wineries'].flatMap((list) =>
    rows(before[list]).flatMap(({ id }) => {
      return named.leftOut.has(`${list}/${id}`) ? [] : [`${list} ${id}`];
    }),
  );
  const photos = rows(before.photos).flatMap(({ id, alt }) => {
    const isTold = out.lossy.some((one) => one.resource === 'photos' && one.id === id);
    const isLost = !isNothing(alt) && !isTold && !named.leftOut.has(`photos/${id}`);
    return isLost ? [`photos ${id}`] : [];
  });
  const theme = (before.theme ?? {}) as Row;
  const usual = defaultsOf(records.theme);
  const isOwn = writableFields('theme').some(([name]) => {
    return !isNothing(theme[name]) && !isSame(theme[name], usual[name]);
  });
  return [...lost, ...photos, ...(isOwn && !named.leftOut.has('theme/null') ? ['theme'] : [])];
}

/** Whether what comes back stands in its order, dishes within their sections. */
function orderLost(list: List, before: Keyed, after: Keyed): string[] {
  if (list === 'modifier_groups') return [];
  const keys = rows(after.menu[list]).map((row) => after.keyOf(list, row));
  const places = new Map(keys.map((key, at) => [key, at]));
  const ordered = inOrder(list, before.menu).flatMap((row) => {
    const key = before.keyOf(list, row);
    const within = list === 'items' ? row.category_id : null;
    return places.has(key) ? [{ within, place: places.get(key) as number }] : [];
  });
  const last = new Map<unknown, number>();
  return ordered.flatMap(({ within, place }) => {
    const isLater = place > (last.get(within) ?? -1);
    last.set(within, place);
    return isLater ? [] : [`${list}: the order`];
  });
}

/** A field of a carried record, before and after. */
interface ComparedField {
  list: List;
  field: string;
  was: unknown;
  now: unknown;
  isKept: boolean;
  isNamed: boolean;
}

interface Compared {
  fields: ComparedField[];
  /** Other losses that no report names, a line each. */
  lost: string[];
}

/** Compares all records of a menu with what came back, field by field. */
export function compareMenus(
  menu: Row,
  imported: Row,
  out: ExchangeReport,
  back: ExchangeReport,
): Compared {
  const named = createNamed(out, back);
  const hasNoKeys = back.target === 'google';
  const isSent = (list: List) => (row: Row) => !named.leftOut.has(`${list}/${row.id}`);
  const sent = (list: List) => inOrder(list, menu).filter(isSent(list));
  const before = keyed(menu, hasNoKeys ? sent : null);
  const after = keyed(imported, hasNoKeys ? (list) => rows(imported[list]) : null);
  const compared: Compared = { fields: [], lost: othersLost(menu, named, out) };
  for (const list of LISTS) {
    const found = new Map(rows(imported[list]).map((row) => [after.keyOf(list, row), row]));
    compared.lost.push(...orderLost(list, before, after));
    for (const row of rows(menu[list])) {
      const key = before.keyOf(list, row);
      const other = found.get(key);
      const isLeft = named.leftOut.has(`${list}/${row.id}`);
      if (isLeft && other) compared.lost.push(`${list} ${key} is left out, and is there`);
      if (!(isLeft || other || named.backLeft.has(`${list}/${key}`))) {
        compared.lost.push(`${list} ${key} is missing`);
      }
      if (isLeft || !other) continue;
      const told = hasNoKeys ? other.external_id : key;
      for (const [name, field] of writableFields(list)) {
        if (OF_HOURS.has(name)) continue;
        const was = comparable(before, list, row, [name, field], named.leftOut);
        const isOwnKey = !(hasNoKeys && name === 'external_id');
        const now = isOwnKey ? comparable(after, list, other, [name, field], NONE) : null;
        const isPicture = name === 'photo_id' && pictureOf(row) === (other.photo_url ?? null);
        // A photo of its own stands there under its address.
        const isPhoto = name === 'photo_url' && row.photo_id && isNothing(was);
        // A record without a key may get that of the service.
        const isNewKey = name === 'external_id' && isNothing(was);
        compared.fields.push({
          ...{ list, field: name, was, now },
          isKept: Boolean(
            isPicture ||
              isPhoto ||
              isNewKey ||
              isSame(was, now) ||
              (isNothing(was) && isNothing(now)),
          ),
          isNamed: named.isNamed(list, row.id, told, name),
        });
      }
    }
  }
  return compared;
}

/**
 * The losses that no report names, a line each.
 *
 * @param document the document of the service
 */
export function unnamedLosses(
  menu: Row,
  document: unknown,
  imported: Row,
  out: ExchangeReport,
  back: ExchangeReport,
): string[] {
  const { fields, lost } = compareMenus(menu, imported, out, back);
  const unnamed = fields.filter(({ isKept, isNamed }) => !isKept && !isNamed);
  return [
    ...settingsLost(menu, document, createNamed(out, back)),
    ...lost,
    ...unnamed.map(({ list, field, was, now }) => {
      return `${list}: ${field} ${JSON.stringify(was)} → ${JSON.stringify(now)}`;
    }),
  ];
}
