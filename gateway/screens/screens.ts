import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import type { ScreenNotice } from '../../db/schema/notices.ts';
import { makeScreenCode, type ScreenChange, type ScreenSettings } from '../../db/schema/screen.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import {
  countScreens,
  findMissingSections,
  findScreenByCookie,
  findScreenCode,
  forgiveScreenGuess,
  type KnownScreen,
  lockScreen,
  placeScreen,
  recordScreenContacts,
  type Screen,
  type ScreenContact,
  saveScreen,
  saveScreenCode,
} from '../../db/sql/screens.ts';
import { countSignInAttempt } from '../../db/sql/sessions.ts';
import { InvalidError } from '../http/errors.ts';
import { hashCookie, type RandomCookie } from '../http/random-cookie.ts';
import { createNoted } from '../runtime/noted.ts';

/** The screens that this gateway has seen, so that they open while Postgres is away. */
interface KnownScreens {
  /**
   * The screen with this cookie, or null.
   *
   * @throws when Postgres is away and this gateway has not seen the screen
   */
  find(tenantId: number, cookie: RandomCookie): Promise<KnownScreen | null>;
  /** A screen's settings have changed, or it is gone. */
  onScreen(notice: ScreenNotice): void;
  /** Notices may have been missed. */
  reconcile(): void;
}

const idOf = (tenantId: number, id: number) => `${tenantId}/${id}`;

/** @param now milliseconds since 1970 */
function createKnownScreens(db: Db, now: () => number): KnownScreens {
  const byCookie = new LRUCache<string, { screen: KnownScreen; readAt: number }>({
    max: constants.maxKnownScreens,
    dispose: ({ screen }, key, reason) => {
      const name = idOf(Number.parseInt(key, 10), screen.id);
      if (reason !== 'set' && keys.get(name) === key) keys.delete(name);
    },
  });
  const keys = new Map<string, string>();
  /** Rises with each notice: what was read before it may be stale. */
  let round = 0;
  return {
    find: async (tenantId, cookie) => {
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
    onScreen: ({ tenant_id, id }) => {
      round += 1;
      const key = keys.get(idOf(tenant_id, id));
      if (key !== undefined) byCookie.delete(key);
    },
    reconcile: () => {
      round += 1;
      byCookie.clear();
    },
  };
}

/** The screens of all restaurants, as this gateway sees them. */
export interface Screens extends KnownScreens, ScreenContacts {}

/** @param now milliseconds since 1970 */
export function createScreens(
  db: Db,
  log: Logger,
  now: () => number,
  constants: Constants,
): Screens {
  return {
    ...createKnownScreens(db, now),
    ...createScreenContacts(db, log, now, constants),
  };
}

/** Notes when screens were here, and what they showed: one row a screen, those of many in one write. */
interface ScreenContacts extends Running {
  note(contact: Omit<ScreenContact, 'at'>): void;
}

/** @param now milliseconds since 1970 */
export function createScreenContacts(
  db: Db,
  log: Logger,
  now: () => number,
  constants: Pick<Constants, 'screenContactInterval' | 'notesPerWrite'>,
): ScreenContacts {
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
  return { note: (contact) => note({ ...contact, at: new Date(now()) }), stop };
}

/** Whose screens are changed. */
interface ScreensOf {
  db: Database;
  tenantId: number;
}

/** All who type letters at a restaurant are counted together. */
const GUESSER = 'screens';
/** Two browsers may be given the same letters; then the later one gets others. */
const TRIES = 3;

/**
 * The letters of a browser without a place: those that it has, or new ones. Null when too many wait.
 *
 * @param mayMake whether its client may have new ones; asked when they are needed
 */
export async function lettersFor(
  { db, tenantId }: ScreensOf,
  cookie: RandomCookie,
  mayMake: () => boolean,
): Promise<string | null> {
  const hash = hashCookie(cookie);
  const known = await findScreenCode(db, tenantId, hash);
  if (known !== null) return known;
  if (!mayMake()) return null;
  for (let left = TRIES; left > 0; left -= 1) {
    const code = makeScreenCode();
    if (await saveScreenCode(db, tenantId, hash, code)) return code;
  }
  return null;
}

/**
 * Gives the browser that shows these letters its place.
 *
 * @throws InvalidError when no browser shows them now, after too many wrong ones, and when there are
 *   too many screens
 */
export async function addScreen(
  { db, tenantId }: ScreensOf,
  { name, code }: { name: string; code: string },
): Promise<Screen> {
  const attempt = { tenantId, kind: 'screen', name: GUESSER } as const;
  const { count } = await countSignInAttempt(db, attempt);
  if (count > constants.maxScreenGuesses) {
    throw new InvalidError({ code: [broken('screenGuesses')] });
  }
  const screen = await db.transaction(async (tx) => {
    if ((await countScreens(tx, tenantId)) >= constants.maxScreens) {
      throw new InvalidError({ name: [broken('maxItems', { max: constants.maxScreens })] });
    }
    return placeScreen(tx, tenantId, code, name);
  });
  if (!screen) throw new InvalidError({ code: [broken('screenCode')] });
  await forgiveScreenGuess(db, tenantId, GUESSER);
  return screen;
}

function settingsOf(screen: ScreenSettings, change: ScreenChange): ScreenSettings {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const next: ScreenSettings = { ...screen, ...Object.fromEntries(given) };
  if (next.part > next.parts) {
    throw new InvalidError({ part: [broken('max', { max: next.parts })] });
  }
  return next;
}

/**
 * Changes what a screen shows. It is told within a second.
 *
 * @param locales the restaurant's languages
 * @returns null when there is no such screen
 * @throws InvalidError
 */
export function changeScreen(
  { db, tenantId }: ScreensOf,
  id: number,
  change: ScreenChange,
  locales: readonly string[],
): Promise<Screen | null> {
  if (change.languages?.some((one) => !locales.includes(one))) {
    throw new InvalidError({ languages: [broken('oneOf', { values: locales })] });
  }
  return db.transaction(async (tx) => {
    const screen = await lockScreen(tx, tenantId, id);
    if (!screen) return null;
    const next = settingsOf(screen, change);
    const asked = change.section_ids ?? [];
    if ((await findMissingSections(tx, tenantId, asked)).length > 0) {
      throw new InvalidError({ section_ids: [broken('invalid')] });
    }
    await saveScreen(tx, tenantId, id, next);
    return lockScreen(tx, tenantId, id);
  });
}
