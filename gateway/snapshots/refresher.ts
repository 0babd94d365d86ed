import type { Logger } from 'pino';
import { bounds } from '../../db/bounds.ts';
import type { Db } from '../../db/connection.ts';
import { findSnapshots } from '../../db/queries/find-snapshots.ts';
import { findVersions } from '../../db/queries/find-versions.ts';
import type { HeldSnapshots } from './held-snapshots.ts';
import type { Tenant } from './loaded-snapshot.ts';
import { createVersionWaiters } from './version-waiters.ts';

/** Swaps held snapshots for newer ones while the old ones go on serving. */
export interface Refresher {
  /** `version` of the tenant exists; what is held of it may be older. */
  expect(tenant: Tenant, version: number): void;
  /** Resolves when nothing that is held of the tenant is older than `version`. */
  whenFresh(tenant: Tenant, version: number): Promise<void>;
  /** Compares everything that is held with the database, in one statement. */
  reconcile(): void;
  stop(): void;
}

function heldVersion(tenant: Tenant): number {
  return Math.min(...Array.from(tenant.snapshots.values(), (snapshot) => snapshot.version));
}

/** Reads what is held of a tenant anew; what has left the database is held no longer. */
async function refresh(held: HeldSnapshots, db: Db, tenant: Tenant): Promise<void> {
  const found = await findSnapshots(db, tenant.id, [...tenant.snapshots.keys()]);
  const kept = new Set(found.map((stored) => held.keep(stored).locale));
  for (const snapshot of [...tenant.snapshots.values()]) {
    if (!kept.has(snapshot.locale)) held.forget(snapshot);
  }
}

/** Held tenants that the database has in a newer version; those it has no more are forgotten. */
async function findStale(held: HeldSnapshots, db: Db): Promise<Map<Tenant, number>> {
  const tenants = [...held.tenants()];
  const ids = tenants.map(({ id }) => id);
  const versions = await findVersions(db, ids);
  const stale = new Map<Tenant, number>();
  for (const tenant of tenants) {
    const version = versions.get(tenant.id);
    if (version === undefined) for (const gone of tenant.snapshots.values()) held.forget(gone);
    else if (heldVersion(tenant) < version) stale.set(tenant, version);
  }
  return stale;
}

export function createRefresher(held: HeldSnapshots, db: Db, log: Logger): Refresher {
  /** The version that each stale tenant is known to have. */
  const stale = new Map<Tenant, number>();
  const busy = new Set<Tenant>();
  const postponed = new Set<Tenant>();
  const waiters = createVersionWaiters(heldVersion);
  let reconciling = false;
  let mustReconcile = false;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  const retryLater = () => {
    if (stopped) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      postponed.clear();
      if (mustReconcile) void reconcile();
      pump();
    }, bounds.retryDelay);
  };

  const work = async (tenant: Tenant) => {
    busy.add(tenant);
    try {
      await refresh(held, db, tenant);
    } catch (error) {
      log.warn({ err: error, tenant: tenant.slug }, 'could not refresh a menu; will retry');
    }
    busy.delete(tenant);
    // What was read may itself be behind (a replica): then the tenant's turn comes again later.
    if (heldVersion(tenant) < (stale.get(tenant) ?? 0)) {
      postponed.add(tenant);
      retryLater();
    }
    pump();
  };

  const pump = () => {
    waiters.settle();
    for (const [tenant, version] of stale) {
      if (busy.size >= bounds.maxRefreshes || stopped) return;
      if (busy.has(tenant) || postponed.has(tenant)) continue;
      if (heldVersion(tenant) >= version) stale.delete(tenant);
      else void work(tenant);
    }
  };

  const reconcile = async () => {
    mustReconcile = true;
    if (reconciling || stopped) return;
    reconciling = true;
    mustReconcile = false;
    try {
      for (const [tenant, version] of await findStale(held, db)) stale.set(tenant, version);
      pump();
    } catch (error) {
      mustReconcile = true;
      log.warn({ err: error }, 'could not compare the versions of the menus; will retry');
    }
    reconciling = false;
    if (mustReconcile) retryLater();
  };

  const expect = (tenant: Tenant, version: number) => {
    stale.set(tenant, Math.max(version, stale.get(tenant) ?? 0));
    pump();
  };

  return {
    expect,
    whenFresh: (tenant, version) => {
      const fresh = waiters.wait(tenant, version);
      expect(tenant, version);
      return fresh;
    },
    reconcile: () => void reconcile(),
    stop: () => {
      stopped = true;
      clearTimeout(retry);
    },
  };
}
