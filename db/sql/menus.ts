import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { inSlices } from '../runtime/in-slices.ts';
import type { Follow } from '../schema/chain.ts';
import type { FieldRules, PriceList } from '../schema/chain-policy.ts';
import { dish } from '../schema/dish.ts';
import { modifierGroup } from '../schema/modifier-group.ts';
import { photo } from '../schema/photo.ts';
import type { RecordType } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import { section, type } from '../schema/section.ts';
import { settings } from '../schema/settings.ts';
import { theme } from '../schema/theme.ts';
import type { Resource } from '../schema/values/resource.ts';
import { listIn, type Row } from '../schema/values/row.ts';
import { winery } from '../schema/winery.ts';
import { columnsOf, tableOf, tiesOf } from './record-columns.ts';

/**
 * A tenant's menu as it is stored: in every language, records side by side instead of nested,
 * without deleted ones and with inactive ones. Lists come in display order. A dish whose type or
 * winery is deleted has none, until it is restored.
 */
const storedMenuSchema = v.object({
  version: v.number(),
  settings: settings.stored,
  theme: theme.stored,
  sections: v.array(section.stored),
  types: v.array(type.stored),
  wineries: v.array(winery.stored),
  modifier_groups: v.array(modifierGroup.stored),
  photos: v.array(photo.stored),
  dishes: v.array(dish.stored),
});
/** The part of a chain that a branch's turn knows. */
export interface Following {
  masterId: number;
  /** By `<resource>/<id>`. */
  follows: ReadonlyMap<string, Follow>;
  /** The rules of its fields. */
  rules: FieldRules;
  /** Null: its prices are the master's. */
  prices: PriceList | null;
  /** The master's menu where rules compare prices with its; else null. */
  master: StoredMenu | null;
}

export interface StoredMenu extends v.InferOutput<typeof storedMenuSchema> {
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

/** Records whose lists are still to be checked. */
const uncheckedSchema = v.looseObject({ version: v.number() });

/** The menu, a record a step. */
function* checkInSteps(
  unchecked: v.InferOutput<typeof uncheckedSchema>,
): Generator<void, StoredMenu> {
  const checked: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(storedMenuSchema.entries)) {
    if (!('item' in schema)) {
      checked[name] = v.parse(schema, unchecked[name]);
      continue;
    }
    const rows: unknown[] = [];
    for (const row of v.parse(v.array(v.unknown()), unchecked[name])) {
      rows.push(v.parse(schema.item, row));
      yield;
    }
    checked[name] = rows;
  }
  return checked as unknown as StoredMenu;
}

/**
 * One record, or a list, as a column that is named for what a menu calls it.
 *
 * @param which of the records of a list; all of them without it
 */
function menuColumn(record: RecordType, which = sql.fragment``) {
  const { isSingleton, resource, table, fields } = record;
  const name = sql.identifier([isSingleton ? resource : table]);
  const rows = sql.fragment`
    select ${columnsOf(record)} from ${tableOf(record)} r ${tiesOf(record)}
    where r.tenant_id = t.id
  `;
  if (isSingleton) return sql.fragment`(select row_to_json(x) from (${rows}) x) as ${name}`;
  const order =
    'display_order' in fields ? sql.fragment`x.display_order, x.id` : sql.fragment`x.id`;
  return sql.fragment`(
    select coalesce(json_agg(x order by ${order}), '[]')
    from (${rows} and r.deleted_at is null ${which}) x
  ) as ${name}`;
}

const listed = Object.values(records).filter((one) => one.isOnMenu && !one.isSingleton);

/** Whether a menu has so many records that work on it needs a turn of its own. */
export function isLargeMenu(menu: StoredMenu): boolean {
  const lengths = listed.map((record) => recordsOf(menu, record).length);
  return lengths.reduce((sum, length) => sum + length, 0) > constants.largeMenuRecords;
}

/** The same of the menu that Postgres has of a tenant. */
export function isLargeMenuOf(db: Db, tenantId: number): Promise<boolean> {
  const rows = listed.map(
    (record) => sql.fragment`
      select from ${tableOf(record)} where tenant_id = ${tenantId} and deleted_at is null
    `,
  );
  return db.one(sql.value(v.boolean())`
    select count(*) > ${constants.largeMenuRecords} from (${sql.join(rows, ' union all ')}) r
  `);
}

/** The columns of a whole menu; to put them together takes as long as to check a menu's rows. */
const menuColumns = sql.join(
  Object.values(records)
    .filter(({ isOnMenu }) => isOnMenu)
    .map((record) => menuColumn(record)),
  ', ',
);

/** Reads everything that a tenant's snapshots are made of, in one statement. */
export async function loadMenu(db: Db, tenantId: number): Promise<StoredMenu> {
  const unchecked = await db.one(sql.type(uncheckedSchema)`
    select t.version, ${menuColumns}
    from tenants t where t.id = ${tenantId}
  `);
  return inSlices(checkInSteps(unchecked), constants.writeSlice);
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
): Promise<Map<Resource, (Row & { id: number })[]>> {
  const asked = [...ids].filter(([, { length }]) => length > 0);
  if (asked.length === 0) return new Map();
  const columns = asked.map(([resource, own]) =>
    menuColumn(records[resource], sql.fragment`and r.id = any (${sql.array(own, 'int4')})`),
  );
  const unchecked = await db.one(sql.type(v.looseObject({}))`
    select ${sql.join(columns, ', ')} from tenants t where t.id = ${tenantId}
  `);
  const lists = new Map<Resource, (Row & { id: number })[]>();
  for (const [resource] of asked) {
    const { isSingleton, table, stored } = records[resource];
    const rows = isSingleton ? [unchecked[resource]] : listIn(unchecked[table]);
    const checking = rows.map((row) => v.parse(stored, row));
    lists.set(resource, checking);
  }
  return lists;
}
