import { type Statement, sql } from '../../postgres/sql.ts';
import { MAX_NOTICE_BYTES, type WriteNotice, writesChannel } from '../../schema/notices.ts';
import type { WriteOutcome, WriteResult } from '../../schema/write.ts';

/** A result with what only the operator reads. */
export interface FinishedWrite extends WriteResult {
  outcome: WriteOutcome;
  error: string | null;
}

/**
 * The statement that finishes writes of a tenant, and tells the gateways when it is committed.
 *
 * Postgres sends the notice, too, when somebody cancels the commit's wait for a synchronous standby.
 * So where there is one the notice has no outcomes: gateways look them up, and that look-up waits.
 */
export function saveResultsStatement(
  tenantId: number,
  results: readonly FinishedWrite[],
): Statement {
  const version = Math.max(...results.map((result) => result.version));
  const notice: WriteNotice = { tenant_id: tenantId, ids: results.map(({ id }) => id), version };
  const stored = JSON.stringify(results);
  // The stored form is about as long as the notice, so a long text is not converted in vain.
  const isShort = stored.length <= 2 * MAX_NOTICE_BYTES;
  const outcomes = isShort ? results.map(({ error, ...result }) => result) : undefined;
  const whole = JSON.stringify({ ...notice, outcomes });
  const brief = JSON.stringify(notice);
  const payload = Buffer.byteLength(whole) > MAX_NOTICE_BYTES ? brief : whole;
  return sql.nothing`
    with finished as (
      update writes w set finished_at = now(), record_id = n.record_id, outcome = n.outcome,
        version = n.version, error = n.error, document = null
      from json_to_recordset(${stored}::json) as n (id uuid, record_id int,
        outcome json, version bigint, error text)
      where w.tenant_id = ${tenantId} and w.id = n.id
    )
    select from pg_notify(${writesChannel},
      case current_setting('synchronous_standby_names') when '' then ${payload} else ${brief} end)
  `;
}
