import * as v from 'valibot';
import { column, type Db, sql } from '../../postgres/sql.ts';
import { writeResultSchema } from '../../schema/write.ts';

/** Names a write. */
export interface WriteKey {
  tenantId: number;
  id: string;
}

const foundSchema = v.object({
  tenant_id: v.number(),
  id: v.string(),
  token_id: v.number(),
  /** Null while the write waits. */
  result: v.nullable(writeResultSchema),
  /** Paths of fields of its request that had no meaning. */
  ignored: v.array(v.string()),
});
export type FoundWrite = v.InferOutput<typeof foundSchema>;

/**
 * Those of the writes that exist, with their results where they have one. A result is safe when this
 * resolves: its commit is seen although its wait for a synchronous standby was cancelled, so this one
 * waits in its place, as `secureWrites` does. Where no write has a result it waits for nothing.
 */
export function findWriteResults(
  db: Db,
  keys: readonly WriteKey[],
): Promise<readonly FoundWrite[]> {
  return db.any(sql.prepared('find-write-results', foundSchema)`
    with found as materialized (
      select tenant_id, id, token_id, ignored, case when finished_at is not null then
        json_build_object('id', id, 'resource', resource, 'record_id', record_id, 'version', version,
          'outcome', coalesce(outcome, json_build_object('kind', 'answered', 'status', status,
            'body', body, 'etag', etag))) end as result
      from writes
      where (tenant_id, id) in (
        select * from unnest(
          ${column(keys, ({ tenantId }) => tenantId, 'int4')},
          ${column(keys, ({ id }) => id, 'uuid')}
        )
      )
    ), message as materialized (
      select pg_logical_emit_message(true, 'lavagna', '')
      where exists (select from found where result is not null)
    )
    select found.* from found left join message on true
  `);
}
