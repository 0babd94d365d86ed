import type { Logger } from 'pino';
import { isOutage } from '../../db/postgres/outage.ts';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';
import type { RequestedLocale } from '../../db/schema/values/locale.ts';
import {
  type ChangedSnapshot,
  findChangedSnapshot,
  findSnapshots,
  type SnapshotAsk,
  type StoredSnapshot,
} from '../../db/sql/snapshots.ts';
import { findTimeline, findVersionsOf } from '../../db/sql/versions.ts';
import { createBatcher } from '../runtime/batcher.ts';
import { UNKNOWN_VERSION } from './loaded-snapshot.ts';

/** Tenants whose announced versions a gateway remembers that reads a replica, in entries. */
const MAX_REMEMBERED_VERSIONS = 20_000;

export interface SnapshotReading {
  stored: StoredSnapshot | null;
  /** False when the primary, which could not be asked, may have come further. */
  isSure: boolean;
}

/** Where stored snapshots are read. */
export interface SnapshotSource {
  /** As `findSnapshots`, and never behind what has been announced. */
  find(slug: string, requested: RequestedLocale | null): Promise<SnapshotReading>;
  /**
   * The changes of a tenant's menu since the version `since`, read where `version` has arrived. Null
   * when the tenant no longer exists.
   */
  findChange(tenantId: number, since: number, version: number): Promise<ChangedSnapshot | null>;
  /** A version of a tenant has been announced. */
  announce(slug: string, version: number): void;
  /** Forgets announced versions, which may never come: the database has another timeline. */
  forgetAnnounced(): void;
}

type SourceConstants = Pick<
  Constants,
  'maxSlugsPerLookUp' | 'maxSnapshotsPerRead' | 'readTimeout' | 'maxUncheckedReads' | 'replicaRest'
>;

/**
 * Tells how far the tenant of a slug has come; null when there is none. Those who ask at the same
 * time are answered by one statement.
 */
function createVersionReader(db: Db, constants: SourceConstants) {
  const limits = { maxItems: constants.maxSlugsPerLookUp, timeout: constants.readTimeout };
  return createBatcher<string, number | null>(limits, async (slugs) => {
    const present = await findVersionsOf(db, slugs);
    return slugs.map((slug) => present.get(slug)?.version ?? null);
  });
}

/** Reads snapshots; those who ask at the same time are answered by one statement. */
function createSnapshotReader(db: Db, constants: SourceConstants) {
  const limits = { maxItems: constants.maxSnapshotsPerRead, timeout: constants.readTimeout };
  return createBatcher<SnapshotAsk, StoredSnapshot | null>(limits, (asks) =>
    findSnapshots(db, asks),
  );
}

/**
 * Reads what is asked for. In a crowd it first asks whether the tenant exists: unknown hosts are not
 * rate-limited, and a crowd there must not hold up other tenants.
 */
function createGate(
  readVersion: ReturnType<typeof createVersionReader>,
  constants: SourceConstants,
) {
  let underWay = 0;
  return async (slug: string, read: () => Promise<SnapshotReading>): Promise<SnapshotReading> => {
    const isCrowd = underWay >= constants.maxUncheckedReads;
    if (isCrowd && (await readVersion(slug)) === null) return { stored: null, isSure: true };
    underWay += 1;
    try {
      return await read();
    } finally {
      underWay -= 1;
    }
  };
}

/** Reads everything from the primary. */
export function createPrimarySource(db: Db, constants: SourceConstants): SnapshotSource {
  const pass = createGate(createVersionReader(db, constants), constants);
  const read = createSnapshotReader(db, constants);
  return {
    find: (slug, requested) =>
      pass(slug, async () => ({ stored: await read({ slug, requested }), isSure: true })),
    findChange: (tenantId, since) => findChangedSnapshot(db, tenantId, since),
    announce: () => {},
    forgetAnnounced: () => {},
  };
}

function reached({ head }: ChangedSnapshot): number {
  return head?.version ?? UNKNOWN_VERSION;
}

/** A replica that is left alone for a while after it failed, so that no request waits for it twice. */
function createReplicaReader(log: Logger, constants: SourceConstants) {
  let restsUntil = Number.NEGATIVE_INFINITY;
  /** Null when it cannot be asked. */
  return async <T>(read: () => Promise<T>): Promise<{ found: T } | null> => {
    if (performance.now() < restsUntil) return null;
    try {
      return { found: await read() };
    } catch (error) {
      restsUntil = performance.now() + constants.replicaRest;
      // Not as `err`: that would tell that Postgres is away, and the primary is not.
      const cause = error instanceof Error ? error.message : String(error);
      log.warn({ cause }, 'the replica does not answer; the primary is read instead');
      return null;
    }
  };
}

/**
 * Reads snapshots from a replica. How far a tenant has come is asked of the primary, in a statement
 * that costs next to nothing; when the replica is behind that, or away, the primary is read. While
 * the primary is away the replica answers alone, but not with less than was announced.
 */
export function createReplicaSource(
  primary: Db,
  replica: Db,
  log: Logger,
  constants: SourceConstants,
): SnapshotSource {
  const announced = createEntryCache<string, number>(MAX_REMEMBERED_VERSIONS);
  const ask = createReplicaReader(log, constants);
  const readVersion = createVersionReader(primary, constants);
  const readCopy = createSnapshotReader(replica, constants);
  const readPrimary = createSnapshotReader(primary, constants);
  const pass = createGate(readVersion, constants);

  const find = async (slug: string, requested: RequestedLocale | null) => {
    const [copy, present] = await Promise.allSettled([
      ask(() => readCopy({ slug, requested })),
      readVersion(slug),
    ]);
    const stored = copy.status === 'fulfilled' ? copy.value?.found : undefined;
    const known = announced.get(slug) ?? 0;
    if (present.status === 'fulfilled') {
      if (present.value === null) return { stored: null, isSure: true };
      const version = Math.max(present.value, known);
      // One that is further has what a failover has lost.
      if (stored && reached(stored) === version) return { stored, isSure: true };
      return { stored: await readPrimary({ slug, requested }), isSure: true };
    }
    if (stored && reached(stored) >= known) return { stored, isSure: false };
    throw present.reason;
  };

  return {
    find: (slug, requested) => pass(slug, () => find(slug, requested)),
    findChange: async (tenantId, since, version) => {
      const copy = await ask(() => findChangedSnapshot(replica, tenantId, since));
      if (copy?.found && reached(copy.found) === version) return copy.found;
      return findChangedSnapshot(primary, tenantId, since);
    },
    announce: (slug, version) => {
      announced.set(slug, Math.max(version, announced.get(slug) ?? 0));
    },
    forgetAnnounced: () => announced.clear(),
  };
}

/** @param onNew called when the timeline is another one than before, before `check` resolves */
export function createTimeline(
  db: Db,
  log: Logger,
  onNew: () => void,
  constants: Pick<Constants, 'maxResultsPerLookUp' | 'readTimeout'>,
) {
  let last: string | null = null;
  const limits = { maxItems: constants.maxResultsPerLookUp, timeout: constants.readTimeout };
  const ask = createBatcher<null, void>(limits, async (asked) => {
    const timeline = await findTimeline(db).catch((error) => {
      if (isOutage(error)) throw error;
      // Some services forbid the question and do not tell of failovers.
      log.warn({ err: error }, 'could not tell whether the database has failed over');
      return null;
    });
    const isNew = timeline !== null && last !== null && timeline !== last;
    last = timeline ?? last;
    if (isNew) {
      log.warn('Postgres has started anew, failed over or was restored; all menus are read again');
      onNew();
    }
    return asked.map(() => undefined);
  });
  return {
    /**
     * Asks the database. Those who ask at the same time are answered together.
     *
     * @throws Error when Postgres does not answer
     */
    check: () => ask(null),
    /** The timeline as it was last read; null when it never was, or when the service hides it. */
    known: () => last,
  };
}
