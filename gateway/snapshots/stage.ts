import type { Tenant } from './loaded-snapshot.ts';

/**
 * How far a tenant's snapshots have come, as one number: a version is there first, and its
 * compressed answers follow.
 */
export function stageOf({ version, encoded }: { version: number; encoded: boolean }): number {
  return version * 2 + Number(encoded);
}

/** The lowest stage of what answers for a tenant. */
export function heldStage(tenant: Tenant): number {
  return Math.min(...Array.from(tenant.snapshots.values(), stageOf));
}

/** The highest: a locale may have been read before the others' is announced. */
export function highestStage(tenant: Tenant): number {
  return Math.max(...Array.from(tenant.snapshots.values(), stageOf));
}
