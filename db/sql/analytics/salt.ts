import { DAY, dayOf } from '../../runtime/day.ts';

/** The secret with which a tenant's visitors of one day are hashed. */
export interface Salt {
  tenantId: number;
  /** The restaurant's calendar day, `YYYY-MM-DD`. */
  day: string;
  salt: Buffer;
  createdAt: Date;
}

/** Names the salt of a tenant's day. */
export function saltKey({ tenantId, day }: Pick<Salt, 'tenantId' | 'day'>): string {
  return `${tenantId}/${day}`;
}

/**
 * The moments before which a salt is forgotten: one whose day ended everywhere on earth at least
 * half a day ago, unless events that arrived late brought it into being within the last day. An event
 * after that gets a new salt, also for an old day, so that no visitor is recognised any more.
 *
 * @param now milliseconds since 1970
 */
export function saltHorizon(now: number): { day: string; createdAt: Date } {
  return {
    day: dayOf(now - DAY),
    createdAt: new Date(now - DAY),
  };
}

/** Whether a salt is beyond the horizon; every process decides this alike. */
export function isForgotten(salt: Salt, now: number): boolean {
  const horizon = saltHorizon(now);
  return salt.day < horizon.day && salt.createdAt < horizon.createdAt;
}
