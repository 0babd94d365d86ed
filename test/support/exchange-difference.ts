import { DAY_END, isAlways, weekOf } from '../../db/exchange/day-spans.ts';
import type { ExchangeReport } from '../../db/schema/exchange-report.ts';
import { isSame } from '../../db/schema/record.ts';
import type { Row } from './random-menu.ts';

// The losses of a menu on its way to a service and back that no report names.

const rows = (value: unknown) => (value ?? []) as Row[];

/** Fields whose values are compared; others follow from the form of documents. */
const FIELDS: Record<string, readonly string[]> = {
  categories: ['name', 'notes', 'hours', 'parent_id'],
  modifier_groups: ['name', 'min', 'max', 'options'],
  items: [
    ...['name', 'description', 'price', 'price_on_request', 'variants', 'offers', 'courses'],
    ...['modifier_group_ids', 'allergens', 'traces', 'allergen_detail', 'additives', 'labels'],
    ...[
      'kcal',
      'serves',
      'ingredients',
      'portion',
      'abv_percent',
      'volume_ml',
      'vintage',
      'grapes',
    ],
    ...['denomination', 'code', 'origin', 'photo_url', 'photo_alt', 'sold_out_until', 'taste'],
    ...['pairing', 'origins', 'winery_id', 'type_id', 'category_id', 'is_recommended'],
  ],
};

const EMPTY = new Set(['null', '""', '[]', '{}', 'false', '0']);
const isNothing = (value: unknown) => value === undefined || EMPTY.has(JSON.stringify(value));

/** A moment, in one form. */
const moment = (value: unknown) => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : at;
};

/** A text of one language as texts by language. */
function textsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textsOf);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    const isText = (name === 'label' || name === 'ingredients') && typeof one === 'string';
    return [name, isText ? { it: one } : textsOf(one)] as const;
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

/** A value in the one form in which two of them are compared. */
function comparable(field: string, row: Row, nameOf: (field: string, id: unknown) => unknown) {
  const value = row[field];
  if (field === 'hours') return row.time_visibility_enabled ? spansOf(value) : [];
  // The price of a dish with sizes is that of the cheapest.
  const sizes = rows(row.variants).map(({ price }) => Number(price));
  if (field === 'price' && sizes.length > 0) return Math.min(...sizes);
  if (field === 'sold_out_until') return moment(value);
  if (/_ids?$/.test(field)) {
    const list = [value ?? []].flat();
    return list.map((id) => nameOf(field, id));
  }
  if (['allergens', 'labels', 'additives', 'allergen_detail'].includes(field)) {
    return Array.isArray(value) ? [...value].sort() : value;
  }
  if (typeof value === 'string' && (field === 'ingredients' || field === 'portion')) {
    return { it: value };
  }
  return textsOf(value);
}

const TARGETS: Record<string, string> = {
  category_id: 'categories',
  parent_id: 'categories',
  modifier_group_ids: 'modifier_groups',
};

/**
 * The keys of records, by which those of both menus are paired.
 *
 * @param byName whether the service has no keys: the number at the end of a name stands for one
 */
function keysOfMenu(menu: Row, byName: boolean) {
  const slug = String((menu.settings as Row | undefined)?.slug ?? 'trattoria');
  const keys = new Map<string, string>();
  for (const list of Object.keys(FIELDS)) {
    for (const { id, external_id, name } of rows(menu[list])) {
      const number = Object.values(name as Row)[0]
        ?.toString()
        .split(' ')
        .at(-1);
      const own = `${slug}.${list}.${id}`;
      const key = byName ? `${list}.${number}` : String(external_id ?? own);
      keys.set(`${list}/${id ?? external_id}`, key);
    }
  }
  return keys;
}

/** The losses that no report names, a line each. */
export function unnamedLosses(
  before: Row,
  after: Row,
  out: ExchangeReport,
  back: ExchangeReport,
): string[] {
  const byName = back.target === 'google';
  const losses: string[] = [];
  const leftOut = new Set(out.left_out.map(({ resource, id }) => `${resource}/${id}`));
  const outLossy = new Set(
    out.lossy.map(({ resource, id, field }) => `${resource}/${id}/${field}`),
  );
  const backLossy = new Set(
    back.lossy.map(({ resource, id, field }) => `${resource}/${id}/${field}`),
  );
  const backLeft = new Set(back.left_out.map(({ resource, id }) => `${resource}/${id}`));
  const keysBefore = keysOfMenu(before, byName);
  const keysAfter = keysOfMenu(after, byName);
  for (const [list, fields] of Object.entries(FIELDS)) {
    const found = new Map(
      rows(after[list]).map((row) => [keysAfter.get(`${list}/${row.id ?? row.external_id}`), row]),
    );
    for (const row of rows(before[list])) {
      const key = keysBefore.get(`${list}/${row.id}`);
      const other = found.get(key);
      if (leftOut.has(`${list}/${row.id}`)) {
        if (other) losses.push(`${list} ${key} is named as left out, and is there`);
        continue;
      }
      if (!other) {
        if (!backLeft.has(`${list}/${key}`)) losses.push(`${list} ${key} is missing`);
        continue;
      }
      for (const field of fields) {
        const target = TARGETS[field] ?? '';
        const nameIn =
          (keys: Map<string, string>, ids: ReadonlySet<string>) => (_: string, id: unknown) => {
            const place = `${target}/${id}`;
            return ids.has(place) ? null : (keys.get(place) ?? id);
          };
        const was = comparable(field, row, nameIn(keysBefore, leftOut));
        const now = comparable(field, withReference(other, field), nameIn(keysAfter, new Set()));
        const isKept = isSame(was, now) || (isNothing(was) && isNothing(now));
        const told = byName ? String(other.external_id) : key;
        const isNamed =
          outLossy.has(`${list}/${row.id}/${field}`) || backLossy.has(`${list}/${told}/${field}`);
        if (!isKept && !isNamed) {
          losses.push(`${list} ${key}: ${field} ${JSON.stringify(was)} → ${JSON.stringify(now)}`);
        }
      }
    }
  }
  return losses;
}

/** A reference by an external id as one by an id. */
function withReference(row: Row, field: string): Row {
  const key = row[field.replace(/_id$/, '_external_id')];
  return row[field] === undefined && typeof key === 'string' ? { ...row, [field]: key } : row;
}
