import * as v from 'valibot';
import { column, type Db, type Statement, sql, textColumn } from '../postgres/sql.ts';
import { MAX_NOTICE_BYTES, type WriteNotice, writesChannel } from '../schema/notices.ts';
import { type WriteOutcome, type WriteResult, writeResultSchema } from '../schema/write.ts';

/** A result with what only the operator reads. */
export interface FinishedWrite extends WriteResult {
  outcome: WriteOutcome;
  error: string | null;
}

/** The writes of a tenant that are finished together; at least one. */
export interface FinishedWrites {
  tenantId: number;
  results: readonly FinishedWrite[];
}

/** The rows of a tenant's results as JSON, and the notice of them with the outcomes and without. */
function describe({ tenantId, results }: FinishedWrites) {
  const rows = results
    .map((result) => JSON.stringify({ tenant_id: tenantId, ...result }))
    .join(',');
  const version = Math.max(...results.map((result) => result.version));
  const notice: WriteNotice = { tenant_id: tenantId, ids: results.map(({ id }) => id), version };
  // The stored form is about as long as the notice, so a long text is not converted in vain.
  const isShort = rows.length <= 2 * MAX_NOTICE_BYTES;
  const outcomes = isShort ? results.map(({ error, ...result }) => result) : undefined;
  const brief = JSON.stringify(notice);
  const whole = JSON.stringify({ ...notice, outcomes });
  return { rows, brief, whole: Buffer.byteLength(whole) > MAX_NOTICE_BYTES ? brief : whole };
}

/**
 * The statement that finishes writes of tenants, and tells the gateways when it is committed: in a
 * notice for each tenant.
 *
 * Postgres sends notices, too, when somebody cancels the commit's wait for a synchronous standby.
 * So where there is one they have no outcomes: gateways look them up, and that look-up waits.
 */
export function saveResultsStatement(finished: readonly FinishedWrites[]): Statement {
  const described = finished.map(describe);
  const rows = `[${described.map((one) => one.rows).join(',')}]`;
  return sql.nothing`
    with finished as (
      update writes w set finished_at = now(), record_id = n.record_id, outcome = n.outcome,
        version = n.version, error = n.error, document = null
      from json_to_recordset(${rows}::json) as n (tenant_id int, id uuid, record_id int,
        outcome json, version bigint, error text)
      where w.tenant_id = n.tenant_id and w.id = n.id
    )
    select from unnest(
      ${textColumn(described, ({ whole }) => whole)},
      ${textColumn(described, ({ brief }) => brief)}
    ) as notice (whole, brief), pg_notify(${writesChannel},
      case current_setting('synchronous_standby_names') when '' then whole else brief end)
  `;
}

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
          'outcome', outcome) end as result
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
