import { type Db, sql } from '../../postgres/connection.ts';
import { type AcceptedEvent, toColumns } from './event-columns.ts';

/** Inserts raw events. Their days' partitions must be there (`createPartitions`). */
export async function storeEvents(db: Db, events: readonly AcceptedEvent[]): Promise<void> {
  const columns = toColumns(events);
  await db.run(sql.typeAlias('nothing')`
    insert into analytics_events (tenant_id, day, hour, occurred_at, type, item_id, category_id,
      allergen, query, locale, visitor, id)
    select tenant_id, day, hour, to_timestamp(occurred_at / 1000), type, item_id, category_id,
      allergen, query, locale, visitor, id
    from unnest(
      ${sql.array(columns.tenant_id, 'int4')},
      ${sql.array(columns.day, 'date')},
      ${sql.array(columns.hour, 'int2')},
      ${sql.array(columns.occurred_at, 'float8')},
      ${sql.array(columns.type, 'text')},
      ${sql.array(columns.item_id, 'int4')},
      ${sql.array(columns.category_id, 'int4')},
      ${sql.array(columns.allergen, 'text')},
      ${sql.array(columns.query, 'text')},
      ${sql.array(columns.locale, 'text')},
      ${sql.array(columns.visitor, 'int8')},
      ${sql.array(columns.id, 'text')}
    ) as event (tenant_id, day, hour, occurred_at, type, item_id, category_id, allergen, query,
      locale, visitor, id)
  `);
}
