import type { Database } from '../postgres/connection.ts';
import { constants } from '../runtime/constants.ts';
import { type ScreenChange, type ScreenSettings, screenInput } from '../schema/screen.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import {
  countScreens,
  findMissingSections,
  forgiveScreenGuess,
  lockScreen,
  placeScreen,
  type Screen,
  saveScreen,
} from '../sql/screens.ts';
import { countSignInAttempt } from '../sql/sessions.ts';
import type { RestaurantAction } from './action.ts';
import { ensureBundleKeys } from './bundle-keys.ts';

const MAX_SCREENS = 100;

/** All who type letters at a restaurant are counted together. */
const GUESSER = 'screens';

/** Gives the browser that shows these letters its place. */
export const addScreen: RestaurantAction<typeof screenInput, Screen> = {
  input: screenInput,
  work: async (db, { tenantId }, { name, code }) => {
    const { count } = await countSignInAttempt(db, { tenantId, kind: 'screen', name: GUESSER });
    if (count > constants.maxScreenGuesses) {
      return new InvalidError({ code: [broken('screenGuesses')] });
    }
    if ((await countScreens(db, tenantId)) >= MAX_SCREENS) {
      return new InvalidError({ name: [broken('maxItems', { max: MAX_SCREENS })] });
    }
    const screen = await placeScreen(db, tenantId, code, name);
    if (!screen) return new InvalidError({ code: [broken('screenCode')] });
    await forgiveScreenGuess(db, tenantId, GUESSER);
    // The screen learns it with its settings, and knows bundles by it.
    await ensureBundleKeys(db, tenantId);
    return screen;
  },
};

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
  db: Database,
  tenantId: number,
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
