import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { makeScreenCode, type ScreenChange, type ScreenSettings } from '../../db/schema/screen.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import {
  countScreens,
  findMissingSections,
  findScreenCode,
  forgiveScreenGuess,
  lockScreen,
  placeScreen,
  type Screen,
  saveScreen,
  saveScreenCode,
} from '../../db/sql/screens.ts';
import { countSignInAttempt } from '../../db/sql/sessions.ts';
import { InvalidError } from '../http/errors.ts';
import { hashCookie, type RandomCookie } from '../http/random-cookie.ts';

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
