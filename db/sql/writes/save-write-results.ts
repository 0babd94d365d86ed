import { type Statement, sql, textColumn } from '../../postgres/sql.ts';
import { MAX_NOTICE_BYTES, type WriteNotice, writesChannel } from '../../schema/notices.ts';
import type { WriteOutcome, WriteResult } from '../../schema/write.ts';

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
