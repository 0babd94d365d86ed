import { constants } from '../../db/runtime/constants.ts';
import type { Limiter } from './limits.ts';

/**
 * How many requests of one client a gateway may admit before it has reported them to Postgres. When
 * so many are unreported, the client is near its limit: its next request waits for the report.
 *
 * Postgres counts up to the limit and no further. So a limit is exceeded only by requests that other
 * gateways have admitted and not yet reported. And a gateway that is killed forgets those that it has
 * not reported. The excess that is allowed is shared by the other gateways, or kept for such an end
 * where there are none. No client is refused unfairly: a report holds only what was admitted.
 *
 * A display that asks now and then never waits: it finds nothing unreported. Page loads of a few
 * requests at once do not wait either. Where there are several gateways,
 * - a client beyond `limitNearShare` of its limit, as far as is known here, waits each time. So traffic
 *   that is spread over gateways leaks only when it begins with a burst;
 * - public reads keep an allowance of one however many gateways there are, since they wait for
 *   Postgres nowhere else; admin requests and events do anyhow, and are exact then.
 */
export function allowance(
  limiter: Limiter,
  limit: number,
  admitted: number,
  gateways: number,
): number {
  const leak = Math.floor(limit / constants.limitLeakDivisor);
  const least = limiter === 'public' ? 1 : 0;
  if (gateways === 1) return Math.max(leak, least);
  if (admitted >= limit * constants.limitNearShare) return 0;
  return Math.max(Math.floor(leak / (gateways - 1)), least);
}
