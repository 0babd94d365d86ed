import type { Constants } from '../../db/runtime/constants.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';

/** Which worker does the announced writes of a tenant. All workers hear of them. */
export interface Claims {
  /** Whether this worker does a tenant's writes as soon as it hears of them. */
  isOwn(tenantId: number): boolean;
  /** This worker does the tenant's writes for a while, because they were late. */
  claim(tenantId: number): void;
  /** This worker has done writes of the tenant. */
  onDone(tenantId: number): void;
  /** Another worker has just done the tenant's writes, or does them now. */
  onTaken(tenantId: number): void;
  /** There were none: another worker did them, or this one before it heard of them. */
  onNone(tenantId: number): void;
}

interface ClaimOptions {
  /** Whether this worker does the writes of all tenants that no other worker has claimed. */
  leads(): boolean;
  /** A steady clock, in ms. */
  now(): number;
  constants: Pick<Constants, 'claimTime' | 'maxRememberedEntries'>;
}

/**
 * One worker leads and has all tenants: so a turn serves many of them, and a menu is in the memory of
 * one worker. Another worker claims a tenant whose writes are late, and has its menu in memory from
 * then on. The claim ends after `claimTime`. The leader leaves the tenant alone for half of that time,
 * so that it has all tenants again when it can do their writes in time.
 */
export function createClaims({ leads, now, constants }: ClaimOptions): Claims {
  const { claimTime, maxRememberedEntries } = constants;
  const claims = createEntryCache<number, 'this' | 'other'>(maxRememberedEntries, {
    ttl: claimTime,
    // Each look reads the clock.
    ttlResolution: 0,
    perf: { now },
  });
  const onTaken = (tenantId: number) => {
    if (leads()) claims.set(tenantId, 'other', { ttl: claimTime / 2 });
    else claims.delete(tenantId);
  };
  return {
    isOwn: (tenantId) =>
      leads() ? claims.get(tenantId) !== 'other' : claims.get(tenantId) === 'this',
    claim: (tenantId) => {
      claims.set(tenantId, 'this');
    },
    onDone: (tenantId) => {
      if (leads()) claims.set(tenantId, 'this');
    },
    onTaken,
    onNone: (tenantId) => {
      if (claims.get(tenantId) !== 'this') onTaken(tenantId);
    },
  };
}
