import * as v from 'valibot';
import { column, type Db, sql } from '../../postgres/sql.ts';
import type { AcceptedEvent } from './event-columns.ts';
import type { KnownRecords } from './roll-up.ts';

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
