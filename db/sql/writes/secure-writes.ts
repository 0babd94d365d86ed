import * as v from 'valibot';
import { column, type Db, sql } from '../../postgres/sql.ts';
import type { WriteKey } from './find-write-results.ts';

/**
 * The ids of those writes that are there, and on disk when this resolves, though their own commit did
 * not wait for that. A message in the write-ahead log, without a reader, is the smallest transaction
 * that waits. One that is missing was lost: Postgres has crashed since it was sent, or failed over.
 */
export async function secureWrites(
  db: Db,
  keys: readonly WriteKey[],
): Promise<ReadonlySet<string>> {
  const secured = await db.any(sql.value(v.string())`
    with message as materialized (select pg_logical_emit_message(true, 'lavagna', ''))
    select w.id from message, writes w
    join unnest(
      ${column(keys, ({ tenantId }) => tenantId, 'int4')},
      ${column(keys, ({ id }) => id, 'uuid')}
    ) as asked (tenant_id, id) on w.tenant_id = asked.tenant_id and w.id = asked.id
  `);
  return new Set(secured);
}
