import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { type AcceptedEvent, eventTypes } from '../schema/event.ts';
import type { KnownRecords } from './counts.ts';

const types = Object.entries(eventTypes) as [keyof AcceptedEvent, string][];
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

/** Inserts raw events. Their days' partitions must be there (`createPartitions`). */
export async function storeEvents(db: Db, events: readonly AcceptedEvent[]): Promise<void> {
  const arrays = types.map(([name, type]) => column(events, (event) => event[name], type));
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
      on conflict do nothing
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
export async function findKnownRecords(
  db: Db,
  events: readonly AcceptedEvent[],
): Promise<KnownRecords> {
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
