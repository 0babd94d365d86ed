import * as v from 'valibot';
import type { Database } from '../postgres/connection.ts';
import { column, type Db, sql } from '../postgres/sql.ts';
import { DAY, dayOf, shiftDay } from '../runtime/day.ts';
import { entriesOf } from '../runtime/keys.ts';
import { type AcceptedEvent, type EventJob, eventTypes } from '../schema/event.ts';
import { takeTurn } from './transactions.ts';

const types = entriesOf(eventTypes);
const names = sql.identifiers(types.map(([name]) => name));
/** The moment comes in ms since 1970. */
const values = sql.join(
  types.map(([name]) =>
    name === 'occurred_at'
      ? sql.fragment`to_timestamp(occurred_at / 1000)`
      : sql.identifier([name]),
  ),
  ', ',
);

/** Inserts the raw events of a job. Their days' partitions must be there (`createPartitions`). */
export async function storeEvents(db: Db, columns: EventJob): Promise<void> {
  const arrays = types.map(([name, type]) => sql.array(columns[name], type));
  await db.run(sql.nothing`
    insert into analytics_events (${names})
    select ${values} from unnest(${sql.join(arrays, ', ')}) as event (${names})
  `);
}

/** An id that a client gave to an event. */
interface EventId {
  tenantId: number;
  id: string;
}

/**
 * Remembers the ids, each given once, and returns the positions of those that were known already.
 * They are locked in one order, so that workers that meet wait for each other and never in a circle.
 */
export async function rememberEventIds(db: Db, ids: readonly EventId[]): Promise<Set<number>> {
  const known = await db.any(sql.value(v.number())`
    with given as materialized (
      select tenant_id, substring(sha256(convert_to(id, 'UTF8')) for 16) as id,
        ordinality - 1 as position
      from unnest(
        ${column(ids, ({ tenantId }) => tenantId, 'int4')},
        ${column(ids, ({ id }) => id, 'text')}
      ) with ordinality as given (tenant_id, id, ordinality)
    ), remembered as (
      insert into analytics_event_ids (tenant_id, id)
      select tenant_id, id from given order by tenant_id, id
      on conflict (tenant_id, id) do nothing
      returning tenant_id, id
    )
    select position from given g where not exists (
      select from remembered r where r.tenant_id = g.tenant_id and r.id = g.id
    )
  `);
  return new Set(known);
}

const keySchema = v.object({ table: v.picklist(['dishes', 'sections']), key: v.string() });

/** The ids of a field, each tenant's once. */
function idsOf(events: readonly AcceptedEvent[], field: 'item_id' | 'category_id') {
  const ids = new Map<string, [tenantId: number, id: number]>();
  for (const { tenant_id, [field]: id } of events) {
    if (id !== null) ids.set(`${tenant_id}/${id}`, [tenant_id, id]);
  }
  const pairs = [...ids.values()];
  return sql.fragment`unnest(
    ${column(pairs, ([tenantId]) => tenantId, 'int4')},
    ${column(pairs, ([, id]) => id, 'int4')}
  ) as named (tenant_id, id)`;
}

/** Which of the dishes and sections that events name exist, or existed and can be restored. */
export async function findKnownRecords(db: Db, events: readonly AcceptedEvent[]) {
  const rows = await db.any(sql.type(keySchema)`
    select 'dishes' as table, tenant_id || '/' || id as key
    from ${idsOf(events, 'item_id')} join dishes using (tenant_id, id)
    union all
    select 'sections', tenant_id || '/' || id
    from ${idsOf(events, 'category_id')} join sections using (tenant_id, id)
  `);
  const keysOf = (table: string) =>
    new Set(rows.filter((row) => row.table === table).map(({ key }) => key));
  return { dishes: keysOf('dishes'), sections: keysOf('sections') };
}

const saltSchema = v.pipe(
  v.object({
    tenant_id: v.number(),
    /** The restaurant's calendar day, `YYYY-MM-DD`. */
    day: v.string(),
    salt: v.instance(Buffer),
    created_at: v.date(),
  }),
  v.transform(({ tenant_id: tenantId, created_at: createdAt, ...of }) => {
    return { tenantId, createdAt, ...of };
  }),
);
/** The secret with which a tenant's visitors of one day are hashed. */
export type Salt = v.InferOutput<typeof saltSchema>;

/** Names the salt of a tenant's day. */
export function saltKey({ tenantId, day }: Pick<Salt, 'tenantId' | 'day'>): string {
  return `${tenantId}/${day}`;
}

/**
 * The moments before which a salt is forgotten: one whose day ended everywhere on earth at least
 * half a day ago, unless events that arrived late brought it into being within the last day. An event
 * after that gets a new salt, also for an old day, so that no visitor is recognised any more.
 *
 * @param now milliseconds since 1970
 */
export function saltHorizon(now: number): { day: string; createdAt: Date } {
  return {
    day: dayOf(now - DAY),
    createdAt: new Date(now - DAY),
  };
}

/** Whether a salt is beyond the horizon; every process decides this alike. */
export function isForgotten(salt: Salt, now: number): boolean {
  const horizon = saltHorizon(now);
  return salt.day < horizon.day && salt.createdAt < horizon.createdAt;
}

function findStored(db: Db, wanted: readonly Salt[]): Promise<readonly Salt[]> {
  return db.any(sql.type(saltSchema)`
    select tenant_id, day, salt, created_at
    from unnest(
      ${column(wanted, ({ tenantId }) => tenantId, 'int4')},
      ${column(wanted, ({ day }) => day, 'date')}
    ) as w (tenant_id, day)
    join analytics_salts using (tenant_id, day)
  `);
}

/** Stores the salts that are still missing, and returns what is stored. */
function store(db: Db, offered: readonly Salt[]): Promise<readonly Salt[]> {
  return db.any(sql.type(saltSchema)`
    insert into analytics_salts (tenant_id, day, salt, created_at)
    select * from unnest(
      ${column(offered, ({ tenantId }) => tenantId, 'int4')},
      ${column(offered, ({ day }) => day, 'date')},
      ${column(offered, ({ salt }) => salt, 'bytea')},
      ${column(offered, ({ createdAt }) => createdAt.toISOString(), 'timestamptz')}
    )
    order by 1, 2
    -- Writing the row as it is makes Postgres return it.
    on conflict (tenant_id, day) do update set salt = analytics_salts.salt
    returning tenant_id, day, salt, created_at
  `);
}

/**
 * The salts of tenants' days. Where there is none yet the offered one is stored; the first
 * gateway decides for all.
 */
export async function findSalts(db: Db, offered: readonly Salt[]): Promise<readonly Salt[]> {
  const stored = await findStored(db, offered);
  const known = new Set(stored.map(saltKey));
  const missing = offered.filter((salt) => !known.has(saltKey(salt)));
  return missing.length === 0 ? stored : [...stored, ...(await store(db, missing))];
}

/** A gateway's request to store more events of a restaurant on a day. */
export interface EventAsk {
  tenantId: number;
  /** In UTC, `YYYY-MM-DD`. */
  day: string;
  count: number;
}

/** The same for one client of the restaurant. */
interface ShareAsk extends EventAsk {
  /** A hash of its address, 64 bits in decimal. */
  client: string;
}

const grantedSchema = v.object({ granted: v.number() });

/** How many events each request gets, when Postgres has added it to what was asked for before. */
function granted(asks: readonly EventAsk[], rows: readonly { granted: number }[], bound: number) {
  return asks.map(({ count }, index) => {
    const before = (rows[index]?.granted ?? bound) - count;
    return Math.max(0, Math.min(count, bound - before));
  });
}

/** A column of those that name who asks: its name, its value and its type. */
type AskColumn<A> = readonly [name: string, of: (ask: A) => number | string, type: string];

const ofRestaurants: readonly AskColumn<EventAsk>[] = [
  ['tenant_id', ({ tenantId }) => tenantId, 'int4'],
  ['day', ({ day }) => day, 'date'],
];
const ofClients: readonly AskColumn<ShareAsk>[] = [
  ...ofRestaurants,
  ['client', ({ client }) => client, 'int8'],
];

async function grant<A extends EventAsk>(
  db: Db,
  table: 'event_budgets' | 'event_shares',
  keys: readonly AskColumn<A>[],
  asks: readonly A[],
  perDay: number,
): Promise<number[]> {
  const names = sql.identifiers(keys.map(([name]) => name));
  const arrays = keys.map(([, of, type]) => column(asks, of, type));
  const rows = await db.any(sql.type(grantedSchema)`
    with asked as (
      select * from unnest(
        ${sql.join(arrays, ', ')},
        ${column(asks, ({ count }) => count, 'int8')}
      ) with ordinality as asked (${names}, count, position)
    ), counted as (
      insert into ${sql.identifier([table])} as known (${names}, granted)
      select ${names}, count from asked order by ${names}
      on conflict (${names}) do update set granted = known.granted + excluded.granted
      returning ${names}, granted
    )
    select granted from asked join counted using (${names}) order by position
  `);
  return granted(asks, rows, perDay);
}

/**
 * Grants requested events up to `perDay` for each restaurant and day. Returns how many events each
 * request got, in the order of `asks`. The table's count includes refused events, beyond `perDay`.
 *
 * @param asks at most one for a restaurant and day
 */
export function grantEvents(db: Db, asks: readonly EventAsk[], perDay: number): Promise<number[]> {
  return grant(db, 'event_budgets', ofRestaurants, asks, perDay);
}

/**
 * The same for clients: each may store up to `perDay` events of a restaurant on a day.
 *
 * @param asks at most one for a restaurant, day and client
 */
export function grantShares(db: Db, asks: readonly ShareAsk[], perDay: number): Promise<number[]> {
  return grant(db, 'event_shares', ofClients, asks, perDay);
}

/** The tables that have a partition for every day. */
const PARTITIONED = ['analytics_events', 'analytics_visits'] as const;
type PartitionedTable = (typeof PARTITIONED)[number];

/** The name of a table's partition of one day, `YYYY-MM-DD`. */
function partitionName(table: PartitionedTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

/** How full pages are made, in percent: visits are rewritten while their day lasts. */
const FILL: Record<PartitionedTable, number> = { analytics_events: 100, analytics_visits: 60 };

async function createPartition(tx: Db, table: PartitionedTable, day: string): Promise<void> {
  const parent = sql.identifier([table]);
  const partition = sql.identifier([partitionName(table, day)]);
  await tx.run(sql.nothing`
    create table ${partition} (like ${parent} including defaults) with (fillfactor = ${sql.literalValue(
      String(FILL[table]),
    )})
  `);
  await tx.run(sql.nothing`
    alter table ${parent} attach partition ${partition}
    for values from (${sql.literalValue(day)}) to (${sql.literalValue(shiftDay(day, 1))})
  `);
}

/**
 * Makes the partitions of these days that are missing. A table is made first and attached then:
 * that does not wait for the transactions that are inserting, nor they for it.
 *
 * @param days `YYYY-MM-DD`
 */
export async function createPartitions(db: Database, days: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurn(tx, 'partitions');
    for (const table of PARTITIONED) {
      const names = days.map((day) => partitionName(table, day));
      const present = await tx.any(sql.value(v.string())`
        select relname as name from pg_class
        where oid = any (array(
          select inhrelid from pg_inherits where inhparent = ${table}::regclass
        )) and relname = any (${sql.array(names, 'text')})
      `);
      const missing = days.filter((day) => !present.includes(partitionName(table, day)));
      for (const day of missing) await createPartition(tx, table, day);
    }
  });
}

/**
 * Drops a table's partitions of the days before `day`, and returns how many. Inserts into the table
 * wait for the short time of the drop. When it cannot begin soon, it gives up until the next round.
 *
 * @param day `YYYY-MM-DD`
 */
export function dropPartitions(db: Database, table: PartitionedTable, day: string) {
  return db.transaction(async (tx) => {
    await takeTurn(tx, 'partitions');
    await tx.run(sql.nothing`set local lock_timeout = '2s'`);
    // The names end in the day, so their order is that of the days.
    const old = await tx.any(sql.value(v.string())`
      select c.relname as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and c.relname < ${partitionName(table, day)}
    `);
    for (const name of old) {
      await tx.run(sql.nothing`drop table ${sql.identifier([name])}`);
    }
    return old.length;
  });
}
