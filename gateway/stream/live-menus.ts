import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createRepeated } from '../../db/runtime/repeated.ts';
import { stopOnce } from '../../db/runtime/running.ts';
import type { ScreenNotice, VersionNotice } from '../../db/schema/notices.ts';
import { findBuiltVersions } from '../../db/sql/versions.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { OpenStream } from '../http/sink.ts';
import { type Tenant, UNKNOWN_VERSION } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { readLastEventId } from './event.ts';
import type { StreamingScreen, UNREAD_SCREEN } from './register.ts';
import { createStreams, type Streams } from './streams.ts';

/** Hexadecimal digits that name a timeline. */
const EPOCH_LENGTH = 12;

type Epoch = ReturnType<typeof createEpoch>;

/** @param timeline what Postgres tells of its timeline; null when it tells nothing */
export function createEpoch(timeline: () => string | null) {
  let part = '';
  let named = timeline();
  return {
    /** That of a tenant: another one may take its slug over, with other versions. */
    of: (tenantId: number): string => {
      const known = timeline();
      if (known !== named) {
        named = known;
        part = '';
      }
      const digest = createHash('sha256').update(`${known ?? ''}/${tenantId}`);
      return digest.digest('hex').slice(0, EPOCH_LENGTH) + part;
    },
    /** Ends the epoch: a version went back although Postgres does not tell of another timeline. */
    end: () => {
      part = `.${randomBytes(EPOCH_LENGTH / 2).toString('hex')}`;
    },
  };
}

/** Tells displays of new versions of their menus, on streams that they hold open. */
export type LiveMenus = ReturnType<typeof createLiveMenus>;

interface LiveMenusOptions {
  /** The primary. */
  db: Db;
  store: Pick<SnapshotStore, 'whenServed' | 'confirm' | 'timeline' | 'subscribe'>;
  maxStreams: number;
  now: () => number;
  log: Logger;
  constants: Constants;
}

/** Makes the function that reads the timeline when a display names another epoch. */
function createLearning({ store, log }: LiveMenusOptions, epoch: Epoch) {
  return async (named: string, tenantId: number): Promise<void> => {
    if (named === '' || named === epoch.of(tenantId)) return;
    // While Postgres is away, what is in memory is all that there is to tell.
    await store
      .confirm()
      .catch((error) =>
        log.debug({ err: error }, 'could not tell which timeline the database has, for a stream'),
      );
  };
}

/** Tells displays of versions that this gateway serves. */
function createTeller(
  store: Pick<SnapshotStore, 'whenServed'>,
  streams: Pick<Streams, 'announce'>,
  epoch: Epoch,
) {
  return {
    /** Tells of a version that may not be in memory, when nothing older is served here. */
    announce: async ({ tenant_id, slug, version, generated_at: generatedAt }: VersionNotice) => {
      const named = epoch.of(tenant_id);
      await store.whenServed(slug, version);
      if (named === epoch.of(tenant_id)) {
        streams.announce(slug, { epoch: named, version, generatedAt });
      }
    },
    /** Tells of the version that answers for a tenant. */
    announceServed: (tenant: Tenant): boolean => {
      const snapshot = tenant.snapshots.get(tenant.defaultLocale);
      if (!snapshot || snapshot.version === UNKNOWN_VERSION) return false;
      const { version, generatedAt } = snapshot;
      streams.announce(tenant.slug, { epoch: epoch.of(tenant.id), version, generatedAt });
      return true;
    },
  };
}

export function createLiveMenus(options: LiveMenusOptions) {
  const { db, store, log, constants } = options;
  const streams = createStreams(options);
  const epoch = createEpoch(store.timeline);
  const learnOf = createLearning(options, epoch);
  const { announce, announceServed } = createTeller(store, streams, epoch);

  const compare = async () => {
    const before = new Map(streams.slugs().map((slug) => [slug, streams.newest(slug)]));
    const timeline = store.timeline();
    const versions = await findBuiltVersions(db, [...before.keys()]);
    await store.confirm();
    // Of another timeline, they are read again.
    if (timeline !== store.timeline()) {
      comparison.ask();
      return;
    }
    const wentBack = [...versions.values()].some(({ tenant_id, slug, version }) => {
      const newest = before.get(slug);
      return newest?.epoch === epoch.of(tenant_id) && version < newest.version;
    });
    if (wentBack) epoch.end();
    for (const slug of before.keys()) {
      const found = versions.get(slug);
      if (found) void announce(found);
      else streams.endTenant(slug);
    }
  };
  const comparison = createRepeated({
    work: compare,
    onFailure: (error) =>
      log.warn({ err: error }, 'could not read the versions for streams; will retry'),
    pause: constants.retryDelay,
  });
  store.subscribe({
    onNewTimeline: comparison.ask,
    onServed: (tenant) => {
      if (streams.has(tenant.slug)) announceServed(tenant);
    },
  });

  return {
    /**
     * Begins a stream for a display. When the display names another epoch, another gateway may know of
     * a failover before this one: the timeline is read first.
     *
     * @param screen that holds it, if it is a screen of the panel's
     * @param lastEventId of the last event that it has seen, or the empty string
     * @throws CrowdedError, TooManyStreamsError
     */
    begin: async (
      tenant: Tenant,
      client: ClientAddress,
      lastEventId: string,
      screen?: StreamingScreen | typeof UNREAD_SCREEN,
    ): Promise<OpenStream> => {
      const { slug } = tenant;
      const known = readLastEventId(lastEventId);
      await learnOf(known.epoch, tenant.id);
      const open = streams.begin(slug, client, known, screen);
      return (sink) => {
        // A new stream hears nothing of a former epoch.
        if (streams.newest(slug)?.epoch !== epoch.of(tenant.id)) streams.forgetNewest(slug);
        const onLeft = open(sink);
        if (!announceServed(tenant) && !streams.newest(slug)) comparison.ask();
        return onLeft;
      };
    },
    /** The settings of a screen have changed, or it is gone. */
    onScreen: ({ slug, id }: ScreenNotice) => streams.tellScreens(slug, id),
    onVersion: (notice: VersionNotice) => {
      if (streams.has(notice.slug)) void announce(notice);
    },
    /** A slug is no longer its tenant's: its streams end, also when another tenant has it by now. */
    onFreedSlug: (slug: string) => {
      streams.endTenant(slug);
      // One may open before this gateway knows that the menu in its memory is stale.
      comparison.ask();
    },
    /** Notices may have been missed: reads the versions of all restaurants that have streams. */
    reconcile: () => {
      for (const slug of streams.slugs()) streams.tellScreens(slug, null);
      comparison.ask();
    },
    drain: streams.drain,
    stats: streams.stats,
    ...stopOnce(async () => {
      await Promise.all([comparison.stop(), streams.stop()]);
    }),
  };
}
