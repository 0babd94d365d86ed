import { constants } from '../../db/runtime/constants.ts';
import type { Limiter } from './limits.ts';

/**
 * How many requests of one client a gateway may admit before Postgres knows of them. A request that
 * finds so many unreported is near the limit: it waits for the statement that reports them.
 *
 * Only unreported requests can go wrong. Postgres grants what is asked of it up to the limit
 * and never beyond. So a limit is passed only by what other gateways have admitted and not reported
 * by then. And a gateway that is killed forgets what it has not reported. So the leak that is
 * allowed is shared by the other gateways, or, where there are none, kept for the kill. No client
 * is refused unfairly: reports add what was really admitted.
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
