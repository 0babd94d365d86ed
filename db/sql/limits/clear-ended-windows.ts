import type { ReconnectingConnection } from '../../postgres/reconnecting-connection.ts';
import { constants } from '../../runtime/constants.ts';

/** A window is kept a little longer than it lasts: a gateway may still be about to report it. */
const text = `
with ended as materialized (
  select tenant_id, limiter, client from limit_windows
  where ends_at < now() - interval '5 seconds'
  order by ends_at
  limit $1
  for update skip locked
), cleared as (
  delete from limit_windows w using ended e
  where (w.tenant_id, w.limiter, w.client) = (e.tenant_id, e.limiter, e.client)
  returning 1
)
select count(*)::int4 from cleared`;

/** Removes windows that are over, a batch at most, and says how many; gateways share the work. */
export async function clearEndedWindows(connection: ReconnectingConnection): Promise<number> {
  const limit = constants.limitClearBatch;
  const rows = await connection.query<[number]>('clear-ended-windows', text, [limit]);
  return rows[0]?.[0] ?? 0;
}
