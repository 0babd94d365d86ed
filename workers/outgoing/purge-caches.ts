import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import { cacheTag } from '../../db/schema/cache-tag.ts';
import {
  beginPurges,
  noteFailedPurge,
  notePurges,
  type StaleMenu,
  takeStaleMenus,
} from '../../db/sql/purges.ts';
import type { LookShares } from '../housekeeping/look-shares.ts';
import { startRounds } from '../housekeeping/rounds.ts';
import { isTaken, sendRequest } from './send-request.ts';

/** Restaurants that one request purges: Cloudflare takes no more. */
const MAX_PURGED_TAGS = 30;
/** Restaurants that one look purges, and how long a request for it may take, in ms. */
const MAX_PURGES_PER_LOOK = 600;
const timeout = 3_000;

interface PurgeOptions {
  db: Database;
  /** PURGE_URL. */
  url: string;
  /** PURGE_HEADER: a header line. */
  header: string | undefined;
  shares: LookShares;
  log: Logger;
  constants: Constants;
}

/**
 * Asks the caches to purge what they have of restaurants. The tags stand in the forms that caches read:
 * Fastly and varnish a header of keys, Akamai `Cache-Tag`, Cloudflare a JSON body.
 *
 * @throws Error when they have not done so
 */
async function purge(tenantIds: readonly number[], { url, header }: PurgeOptions): Promise<void> {
  const tags = tenantIds.map(cacheTag);
  const payload = JSON.stringify({ tags });
  const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(header ?? '') ?? [];
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(payload)),
    'User-Agent': 'Lavagna',
    'Surrogate-Key': tags.join(' '),
    'Cache-Tag': tags.join(','),
    // An answer that is old still bridges a dead gateway.
    'Fastly-Soft-Purge': '1',
    ...(name !== '' && { [name]: value }),
  };
  const message = { method: 'POST', headers, payload, timeout, maxBytes: 0 } as const;
  const { status } = await sendRequest(new URL(url), message, { isPrivateAllowed: true });
  if (!isTaken(status)) throw new Error(`the cache answered ${status}`);
}

/** The last version of a restaurant that this worker has told to the caches. */
interface Told {
  version: number;
  /** On the clock of this process, in ms. */
  toldAt: number;
  /** Whether it was told again, when every gateway had heard of the version. */
  isSure: boolean;
}

/** Remembers what was told, for as long as it is found again. */
function createTold({ purgeOverlap, purgeAgainAfter }: Constants, now: () => number) {
  const told = new Map<number, Told>();
  return {
    isDue: ({ tenant_id, version }: StaleMenu): boolean => {
      const known = told.get(tenant_id);
      if (!known || known.version !== version) return true;
      return !known.isSure && now() - known.toldAt >= purgeAgainAfter;
    },
    note: ({ tenant_id, version }: StaleMenu) => {
      const isSure = told.get(tenant_id)?.version === version;
      told.set(tenant_id, { version, toldAt: now(), isSure });
    },
    forget: () => {
      for (const [id, { toldAt }] of told) if (now() - toldAt > 2 * purgeOverlap) told.delete(id);
    },
    /** The moment of the first that must be told again, or of the last; null for none. */
    until: (menus: readonly StaleMenu[]): Date | null => {
      const isOpen = ({ tenant_id }: StaleMenu) => !told.get(tenant_id)?.isSure;
      const open = menus.filter(isOpen).map(({ at }) => at.getTime());
      if (open.length > 0) return new Date(Math.min(...open));
      if (menus.length === 0) return null;
      return new Date(Math.max(...menus.map(({ at }) => at.getTime())));
    },
  };
}

/**
 * Tells caches before the gateways of restaurants with new versions. It does so twice: a gateway that
 * had not heard of the version may have filled the cache again. Workers share the looks. A moment in
 * Postgres says up to when the caches know, so that nothing is lost while they, or all workers, are
 * away. The pauses after failures are those of webhooks.
 */
export async function startPurges(options: PurgeOptions): Promise<Running> {
  const { db, shares, log, constants } = options;
  const told = createTold(constants, () => performance.now());
  await beginPurges(db);
  const look = () =>
    db.transaction(async (tx) => {
      const menus = await takeStaleMenus(tx, constants.purgeOverlap);
      const due = menus.filter(told.isDue).slice(0, MAX_PURGES_PER_LOOK);
      try {
        for (let at = 0; at < due.length; at += MAX_PURGED_TAGS) {
          const some = due.slice(at, at + MAX_PURGED_TAGS);
          await purge(
            some.map(({ tenant_id }) => tenant_id),
            options,
          );
          for (const menu of some) told.note(menu);
        }
      } catch (error) {
        log.warn({ err: error }, 'caches could not be purged; it will be tried again');
        await noteFailedPurge(tx, constants);
        return;
      }
      const until = told.until(menus);
      if (until && due.length > 0) await notePurges(tx, until);
      told.forget();
    });
  return startRounds({
    ...{ what: 'the purges of caches', interval: constants.purgeInterval, firstAfter: 0 },
    ...{ round: look, shares, log },
  });
}
