import type { Tenant } from './loaded-snapshot.ts';

/** Those who wait until a stage of a tenant is served here. */
export interface VersionWaiters {
  wait(tenant: Tenant, stage: number): Promise<void>;
  /** Lets go whoever has waited long enough. */
  settle(): void;
}

/** @param heldStage the lowest stage of what answers for a tenant */
export function createVersionWaiters(heldStage: (tenant: Tenant) => number): VersionWaiters {
  const waiters = new Set<{ tenant: Tenant; stage: number; resolve(): void }>();
  return {
    wait: (tenant, stage) =>
      new Promise((resolve) => {
        waiters.add({ tenant, stage, resolve });
      }),
    settle: () => {
      for (const waiter of waiters) {
        if (heldStage(waiter.tenant) < waiter.stage) continue;
        waiters.delete(waiter);
        waiter.resolve();
      }
    },
  };
}
