import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';
import type { ScreenNotice } from '../../db/schema/notices.ts';
import { makeScreenCode } from '../../db/schema/screen.ts';
import {
  findScreenByCookie,
  findScreenCode,
  type KnownScreen,
  recordScreenContacts,
  type ScreenContact,
  saveScreenCode,
} from '../../db/sql/screens.ts';
import type { ClientNetwork } from '../http/client-address.ts';
import { hashCookie, type RandomCookie } from '../http/random-cookie.ts';
import { createNoted } from '../runtime/noted.ts';

/** Screens whose settings a gateway has in memory. */
const MAX_KNOWN_SCREENS = 20_000;

const idOf = (tenantId: number, id: number) => `${tenantId}/${id}`;

/**
 * The screens that this gateway has seen, so that they open while Postgres is away.
 *
 * @param now milliseconds since 1970
 */
function createKnownScreens(db: Db, now: () => number) {
  const byCookie = createEntryCache<string, { screen: KnownScreen; readAt: number }>(
    MAX_KNOWN_SCREENS,
    {
      dispose: ({ screen }, key, reason) => {
        const name = idOf(Number.parseInt(key, 10), screen.id);
        if (reason !== 'set' && keys.get(name) === key) keys.delete(name);
      },
    },
  );
  const keys = new Map<string, string>();
  /** Rises with each notice: what was read before it may be stale. */
  let round = 0;
  return {
    /**
     * The screen with this cookie, or null.
     *
     * @throws when Postgres is away and this gateway has not seen the screen
     */
    find: async (tenantId: number, cookie: RandomCookie): Promise<KnownScreen | null> => {
      if (cookie.isNew) return null;
      const hash = hashCookie(cookie);
      const key = `${tenantId}/${hash.toString('base64url')}`;
      const known = byCookie.get(key);
      if (known) {
        const name_for = Math.max(0, known.screen.name_for - (now() - known.readAt));
        return { ...known.screen, name_for };
      }
      const begun = round;
      const screen = await findScreenByCookie(db, tenantId, hash);
      if (screen && begun === round) {
        byCookie.set(key, { screen, readAt: now() });
        keys.set(idOf(tenantId, screen.id), key);
      }
      return screen;
    },
    /** A screen's settings have changed, or it is gone. */
    onScreen: ({ tenant_id, id }: ScreenNotice) => {
      round += 1;
      const key = keys.get(idOf(tenant_id, id));
      if (key !== undefined) byCookie.delete(key);
    },
    /** Notices may have been missed. */
    reconcile: () => {
      round += 1;
      byCookie.clear();
    },
  };
}

/** The screens of all restaurants, as this gateway sees them. */
export type Screens = ReturnType<typeof createScreens>;

/** @param now milliseconds since 1970 */
export function createScreens(db: Db, log: Logger, now: () => number, constants: Constants) {
  return {
    ...createKnownScreens(db, now),
    ...createScreenContacts(db, log, now, constants),
  };
}

/**
 * Notes when screens were here, and what they showed: one row a screen, those of many in one write.
 *
 * @param now milliseconds since 1970
 */
export function createScreenContacts(
  db: Db,
  log: Logger,
  now: () => number,
  constants: Pick<Constants, 'screenContactInterval' | 'notesPerWrite'>,
) {
  const { note, stop } = createNoted<ScreenContact>({
    write: (contacts) => recordScreenContacts(db, contacts),
    nameOf: ({ tenantId, id }) => `${tenantId}/${id}`,
    merge: (former, later) => ({
      ...later,
      version: later.version ?? former.version,
      size: later.size ?? former.size,
    }),
    interval: constants.screenContactInterval,
    maxItems: constants.notesPerWrite,
    what: 'when screens were here',
    log,
  });
  return {
    note: (contact: Omit<ScreenContact, 'at'>) => note({ ...contact, at: new Date(now()) }),
    stop,
  };
}

/** Two browsers may be given the same letters; then the later one gets others. */
const TRIES = 3;

/**
 * The letters of a browser without a place: those that it has, or new ones. Null when too many wait.
 *
 * @param client the address that it calls from
 * @param mayMake whether its client may have new ones; asked when they are needed
 */
export async function lettersFor(
  { db, tenantId }: { db: Db; tenantId: number },
  cookie: RandomCookie,
  client: ClientNetwork,
  mayMake: () => boolean,
): Promise<string | null> {
  const hash = hashCookie(cookie);
  const known = cookie.isNew ? null : await findScreenCode(db, tenantId, hash);
  if (known !== null) return known;
  if (!mayMake()) return null;
  const waiting = { hash, client: String(client) };
  for (let left = TRIES; left > 0; left -= 1) {
    const code = makeScreenCode();
    if (await saveScreenCode(db, tenantId, waiting, code)) return code;
  }
  return null;
}
