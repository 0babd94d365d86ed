import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { certain } from '../runtime/certain.ts';
import { constants } from '../runtime/constants.ts';
import { inSlices } from '../runtime/in-slices.ts';
import { memoize } from '../runtime/memoize.ts';
import type { Follow } from '../schema/chain.ts';
import type { FieldRules, PriceList } from '../schema/chain-policy.ts';
import type { dish } from '../schema/dish.ts';
import type { StoredOf } from '../schema/field.ts';
import type { modifierGroup } from '../schema/modifier-group.ts';
import type { photo } from '../schema/photo.ts';
import type { RecordType } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import type { section, type } from '../schema/section.ts';
import type { settings } from '../schema/settings.ts';
import type { theme } from '../schema/theme.ts';
import type { Resource } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import type { winery } from '../schema/winery.ts';
import { RECORDS_PER_PORTION } from './portions.ts';
import { columnsOf, tableOf, tiesOf } from './record-columns.ts';

/** The part of a chain that a branch's turn knows. */
export interface Following {
  masterId: number;
  /** By `<resource>/<id>`. */
  follows: ReadonlyMap<string, Follow>;
  rules: FieldRules;
  /** Null: its prices are the master's. */
  prices: PriceList | null;
  /** The master's menu where rules compare prices with its; else null. */
  master: StoredMenu | null;
  /** The version that a change takes back: fields that it made own follow again. Else null. */
  undone: { version: number; at: Date } | null;
}

/**
 * A tenant's menu as it is stored: in every language, records side by side instead of nested,
 * without deleted ones and with inactive ones. Lists come in display order. A dish whose type or
 * winery is deleted has none, until it is restored.
 */
export interface StoredMenu {
  version: number;
  settings: StoredOf<typeof settings.fields>;
  theme: StoredOf<typeof theme.fields>;
  sections: StoredOf<typeof section.fields>[];
  types: StoredOf<typeof type.fields>[];
  wineries: StoredOf<typeof winery.fields>[];
  modifier_groups: StoredOf<typeof modifierGroup.fields>[];
  photos: StoredOf<typeof photo.fields>[];
  dishes: StoredOf<typeof dish.fields>[];
  /** In a turn of a branch. A change that comes from the master is planned without it. */
  following?: Following;
}

/** A record of a menu, of any kind. */
export type MenuRow = Row & { id: number; display_order?: number };

/** The records of a kind that a menu has, in display order; of settings and theme the only one. */
export function recordsOf(
  menu: StoredMenu,
  { table, resource, isSingleton }: RecordType,
): readonly MenuRow[] {
  if (isSingleton) return [menu[resource as 'settings']];
  return (menu as unknown as Record<string, readonly MenuRow[]>)[table] ?? [];
}

/** Some records of one list in their order, as a JSON array. */
const portionSchema = v.object({ version: v.number(), list: v.string(), records: v.string() });
type Portion = v.InferOutput<typeof portionSchema>;

const onMenu = Object.values(records).filter((one) => one.isOnMenu);
const listed = onMenu.filter(({ isSingleton }) => !isSingleton);

const nameOf = ({ isSingleton, resource, table }: RecordType) => (isSingleton ? resource : table);

/** A row with the fields of its record alone, checked. */
export function checkedRow({ stored }: RecordType, row: Row): MenuRow {
  return v.parse(stored, row) as MenuRow;
}

const storedFields = memoize(({ stored }: RecordType) =>
  Object.entries<v.GenericSchema>(stored.entries as Record<string, v.GenericSchema>),
);

/** A checked row with those fields of another one that differ: all others stay the same objects. */
export function checkedChange(record: RecordType, before: MenuRow, after: Row): MenuRow {
  const row: Row & { id: number } = { ...before };
  for (const [name, schema] of storedFields(record)) {
    if (after[name] !== before[name]) row[name] = v.parse(schema, after[name]);
  }
  return row;
}

/** The records of one kind in portions, as they were sent: their ids and external ids can be used. */
export function* uncheckedRows(
  portions: readonly Portion[],
  record: RecordType,
): Generator<MenuRow> {
  const name = nameOf(record);
  for (const { list, records: text } of portions) {
    if (list === name) yield* JSON.parse(text) as MenuRow[];
  }
}

/** The same as a menu has them, checked. */
export function* checkedRows(portions: readonly Portion[], record: RecordType): Generator<MenuRow> {
  for (const row of uncheckedRows(portions, record)) yield checkedRow(record, row);
}

/** The records of the portions by their lists, a record a step. */
function* checkInSteps(
  portions: readonly Portion[],
): Generator<void, ReadonlyMap<string, MenuRow[]>> {
  const lists = new Map<string, MenuRow[]>();
  for (const record of onMenu) {
    const rows: MenuRow[] = [];
    for (const row of checkedRows(portions, record)) {
      rows.push(row);
      yield;
    }
    lists.set(nameOf(record), rows);
  }
  return lists;
}

/**
 * The records of one kind in portions.
 *
 * @param which of the records of a list; all of them without it
 */
function portionsOf(record: RecordType, which = sql.fragment``) {
  const { isSingleton, fields } = record;
  const order =
    'display_order' in fields ? sql.fragment`x.display_order, x.id` : sql.fragment`x.id`;
  const present = isSingleton ? sql.fragment`` : sql.fragment`and r.deleted_at is null ${which}`;
  return sql.fragment`
    select ${nameOf(record)}::text as list, min(y.place) as first,
      json_agg(y.x order by y.place)::text as records
    from (
      select x, row_number() over (order by ${order}) - 1 as place
      from (
        select ${columnsOf(record)} from ${tableOf(record)} r ${tiesOf(record)}
        where r.tenant_id = t.id ${present}
      ) x
    ) y
    group by y.place / ${RECORDS_PER_PORTION}::int
  `;
}

/**
 * Reads records in portions: neither the connection nor the reader of JSON keeps the event loop for
 * long, however large a menu is.
 */
function readPortions(db: Db, tenantId: number, portions: Fragment) {
  return db.any(sql.type(portionSchema)`
    select t.version, p.list, p.records from tenants t, lateral (${portions}) p
    where t.id = ${tenantId} order by p.first
  `);
}

/** Whether a menu has so many records that work on it needs a turn of its own. */
export function isLargeMenu(menu: StoredMenu): boolean {
  const lengths = listed.map((record) => recordsOf(menu, record).length);
  return lengths.reduce((sum, length) => sum + length, 0) > constants.largeMenuRecords;
}

/** Those of tenants of whose menus Postgres has so many records. */
export function findLargeMenus(db: Db, tenantIds: readonly number[]): Promise<readonly number[]> {
  const rows = listed.map(
    (record) => sql.fragment`
      select from ${tableOf(record)} where tenant_id = t.id and deleted_at is null
    `,
  );
  return db.any(sql.value(v.number())`
    select id from unnest(${sql.array(tenantIds, 'int4')}) as t (id)
    where (select count(*) from (${sql.join(rows, ' union all ')}) r) > ${constants.largeMenuRecords}
  `);
}

/** All records of a menu; to put the columns together takes as long as to check a menu's rows. */
const menuPortions = sql.join(
  onMenu.map((record) => portionsOf(record)),
  ' union all ',
);

/** How long the menus that were read are as JSON of Postgres, in bytes, by their lists of dishes. */
export const readLengths = new WeakMap<readonly MenuRow[], number>();

/** A menu as Postgres has sent it. */
export interface SentMenu {
  version: number;
  portions: readonly Portion[];
}

/**
 * Reads everything that a tenant's snapshots are made of, in one statement.
 *
 * @throws Error when there is no such tenant
 */
export async function receiveMenu(db: Db, tenantId: number): Promise<SentMenu> {
  const portions = await readPortions(db, tenantId, menuPortions);
  return { version: certain(portions[0]?.version, 'there is no such tenant'), portions };
}

/** The records of a menu that was sent. It gives the event loop to others on the way. */
export async function openMenu({ version, portions }: SentMenu): Promise<StoredMenu> {
  const lists = await inSlices(checkInSteps(portions));
  const menu: Record<string, unknown> = { version };
  for (const record of onMenu) {
    const name = nameOf(record);
    const rows = lists.get(name);
    menu[name] = record.isSingleton ? certain(rows?.[0], `a menu has no ${name}`) : rows;
  }
  const loaded = menu as unknown as StoredMenu;
  const length = portions.reduce((sum, { records: text }) => sum + Buffer.byteLength(text), 0);
  readLengths.set(loaded.dishes, length);
  return loaded;
}

/**
 * Reads a menu with all of its records.
 *
 * @throws Error when there is no such tenant
 */
export async function loadMenu(db: Db, tenantId: number): Promise<StoredMenu> {
  return openMenu(await receiveMenu(db, tenantId));
}

/**
 * Some records of a menu as `loadMenu` reads them, by their kind; one that is not there is missing.
 *
 * @param ids of each kind; of a singleton any
 */
export async function loadRecords(
  db: Db,
  tenantId: number,
  ids: ReadonlyMap<Resource, readonly number[]>,
): Promise<Map<Resource, MenuRow[]>> {
  const asked = [...ids].filter(([, { length }]) => length > 0);
  if (asked.length === 0) return new Map();
  const portions = asked.map(([resource, own]) =>
    portionsOf(records[resource], sql.fragment`and r.id = any (${sql.array(own, 'int4')})`),
  );
  const read = await readPortions(db, tenantId, sql.join(portions, ' union all '));
  const lists = await inSlices(checkInSteps(read));
  return new Map(asked.map(([resource]) => [resource, lists.get(nameOf(records[resource])) ?? []]));
}
