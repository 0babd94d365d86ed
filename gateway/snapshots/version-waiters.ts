import type { Tenant } from './loaded-snapshot.ts';

/** Those who wait until a stage of a tenant is served here. */
export interface VersionWaiters {
  wait(tenant: Tenant, stage: number): Promise<void>;
  /** Those of whom a stage is waited for. */
  tenants(): Iterable<Tenant>;
  /** Lets go whoever has waited long enough. */
  settle(): void;
  /** Lets go whoever waits for a stage of the tenant, up to `stage`, that cannot be served here. */
  release(tenant: Tenant, stage: number): void;
}

interface Waiter {
  tenant: Tenant;
  stage: number;
  resolve(): void;
}

/** @param heldStage the lowest stage of what answers for a tenant */
export function createVersionWaiters(heldStage: (tenant: Tenant) => number): VersionWaiters {
  const waiters = new Set<Waiter>();
  const letGo = (isOver: (waiter: Waiter) => boolean) => {
    for (const waiter of waiters) {
      if (!isOver(waiter)) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  };
  return {
    wait: (tenant, stage) =>
      new Promise((resolve) => {
        waiters.add({ tenant, stage, resolve });
      }),
    *tenants() {
      for (const { tenant } of waiters) yield tenant;
    },
    settle: () => letGo(({ tenant, stage }) => heldStage(tenant) >= stage),
    release: (unserved, upTo) => letGo(({ tenant, stage }) => tenant === unserved && stage <= upTo),
  };
}
