import type { Tenant } from './loaded-snapshot.ts';

/** Those who wait until a version of a tenant is served here. */
export interface VersionWaiters {
  wait(tenant: Tenant, version: number): Promise<void>;
  /** Lets go whoever has waited long enough. */
  settle(): void;
}

/** @param heldVersion the oldest version that answers for a tenant */
export function createVersionWaiters(heldVersion: (tenant: Tenant) => number): VersionWaiters {
  const waiters = new Set<{ tenant: Tenant; version: number; resolve(): void }>();
  return {
    wait: (tenant, version) =>
      new Promise((resolve) => {
        waiters.add({ tenant, version, resolve });
      }),
    settle: () => {
      for (const waiter of waiters) {
        if (heldVersion(waiter.tenant) < waiter.version) continue;
        waiters.delete(waiter);
        waiter.resolve();
      }
    },
  };
}
