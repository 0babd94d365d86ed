import { type Comparison, type ComparisonOptions, createComparison } from './comparison.ts';
import type { HeldSnapshots } from './held-snapshots.ts';
import type { Tenant } from './loaded-snapshot.ts';
import type { HeldVersion, SnapshotSource } from './source.ts';
import { heldStage } from './stage.ts';
import { createVersionWaiters, type VersionWaiters } from './version-waiters.ts';

/** Swaps held snapshots for newer ones while the old ones go on serving. */
export interface Refresher {
  /** A stage of the tenant exists; what is held of it may be behind. */
  expect(tenant: Tenant, stage: number): void;
  /**
   * Resolves when nothing that is held of the tenant is behind the stage, or when that cannot be read
   * here.
   */
  whenFresh(tenant: Tenant, stage: number): Promise<void>;
  /** Compares everything that is held with the database, in one statement. */
  reconcile: Comparison['begin'];
  confirm: Comparison['confirm'];
  stop(): void;
}

/** Before every stage that there is. */
const UNKNOWN_STAGE = -1;

/**
 * Reads what has changed of what is held; what has left the database is held no longer. False when
 * what there is now cannot be read: it is of another format, as while an upgrade is under way, and
 * what is held serves on.
 */
async function refresh(
  held: HeldSnapshots,
  source: SnapshotSource,
  tenant: Tenant,
  stage: number,
): Promise<boolean> {
  const before = [...tenant.snapshots.values()];
  const since: HeldVersion = {
    tenantId: tenant.id,
    version: Math.min(...before.map(({ version }) => version)),
    locales: before.map(({ locale }) => locale),
  };
  const change = await source.findChange(since, stage);
  if (change && !change.head) return false;
  if (change) held.renew(change, since.version);
  const present = new Set(change?.head?.locales);
  for (const snapshot of before) if (!present.has(snapshot.locale)) held.forget(snapshot);
  return true;
}

export interface RefresherOptions extends ComparisonOptions {
  /** Where snapshots are read. */
  source: SnapshotSource;
  /** What was read until now may be of a past that the database has lost. */
  onNewPast: () => void;
}

/** After a failover all are stale: first come those for whom a writer waits. */
function* inOrder(waiters: VersionWaiters, stale: ReadonlyMap<Tenant, number>): Iterable<Tenant> {
  yield* waiters.tenants();
  yield* stale.keys();
}

export function createRefresher(options: RefresherOptions): Refresher {
  const { held, source, log, constants } = options;
  /** The stage that each stale tenant is known to have reached. */
  const stale = new Map<Tenant, number>();
  const busy = new Set<Tenant>();
  const postponed = new Set<Tenant>();
  const waiters = createVersionWaiters((tenant) =>
    comparison.isOpen() ? UNKNOWN_STAGE : heldStage(tenant),
  );
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  const retryLater = () => {
    if (stopped) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      postponed.clear();
      pump();
    }, constants.retryDelay);
  };

  const work = async (tenant: Tenant) => {
    busy.add(tenant);
    const expected = stale.get(tenant) ?? 0;
    const isReadable = await refresh(held, source, tenant, expected).catch((error) => {
      log.warn({ err: error, tenant: tenant.slug }, 'could not refresh a menu; will retry');
      return true;
    });
    busy.delete(tenant);
    if (!isReadable) {
      // A rebuild in our format is a version that will be announced. Until then there is nothing to
      // try again, and nothing to wait for: the writes are done all the same.
      waiters.release(tenant, expected);
      if (stale.get(tenant) === expected) stale.delete(tenant);
    } else if (heldStage(tenant) < expected) {
      // What was read may itself be behind (a replica): then the tenant's turn comes again later.
      postponed.add(tenant);
      retryLater();
    }
    pump();
  };

  const pump = () => {
    waiters.settle();
    for (const tenant of inOrder(waiters, stale)) {
      if (busy.size >= constants.maxRefreshes || stopped) return;
      const stage = stale.get(tenant);
      if (stage === undefined || busy.has(tenant) || postponed.has(tenant)) continue;
      if (heldStage(tenant) >= stage) stale.delete(tenant);
      else void work(tenant);
    }
  };

  const note = (tenant: Tenant, stage: number) => {
    stale.set(tenant, Math.max(stage, stale.get(tenant) ?? 0));
  };
  const expect = (tenant: Tenant, stage: number) => {
    note(tenant, stage);
    pump();
  };

  const comparison = createComparison(options, {
    onStale: note,
    onNewPast: () => {
      stale.clear();
      options.onNewPast();
    },
    onEnd: pump,
  });

  return {
    expect,
    whenFresh: (tenant, stage) => {
      const fresh = waiters.wait(tenant, stage);
      expect(tenant, stage);
      return fresh;
    },
    reconcile: comparison.begin,
    confirm: comparison.confirm,
    stop: () => {
      stopped = true;
      clearTimeout(retry);
      comparison.stop();
    },
  };
}
