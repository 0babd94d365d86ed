import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { type ScreenSettings, screenSettings } from '../../db/schema/screen.ts';
import type { KnownScreen } from '../../db/sql/screens.ts';
import { type Answer, jsonAnswer, withHeader } from '../http/answer.ts';
import { type ClientNetwork, clientSite } from '../http/client-address.ts';
import type { DerivedAnswers } from '../http/derived-answers.ts';
import { NotFoundError, unavailable } from '../http/errors.ts';
import { parseQuery } from '../http/query.ts';
import { selectAnswer } from '../http/representations.ts';
import { createMinuteBound } from '../limits/minute-bound.ts';
import type { PageContext, PageRoute } from '../pipeline/route.ts';
import { lettersFor } from '../screens/change-screens.ts';
import type { KnownScreens } from '../screens/known-screens.ts';
import { readScreenCookie, setScreenCookie } from '../screens/screen-cookie.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { readRestaurant } from './menu-view.ts';
import { findPage } from './page.ts';
import { pairingAnswer } from './pairing.ts';

/** The address of every screen: without a place it shows letters, and with one its menu. */
export const SCREEN_PATH = '/screen';

export interface ScreenOptions {
  db: Database;
  answers: DerivedAnswers;
  store: Pick<SnapshotStore, 'find'>;
  screens: KnownScreens;
  originOf: (context: PageContext) => string;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
}

const away = unavailable('could not read the screens');

/** The settings that the screen's page reads, and for how many ms it shows its name. */
function shownSettings({
  name_for,
  ...screen
}: KnownScreen): ScreenSettings & { name_for: number } {
  const names = Object.keys(screenSettings.entries) as (keyof ScreenSettings)[];
  const settings = Object.fromEntries(names.map((name) => [name, screen[name]]));
  return { ...(settings as ScreenSettings), name_for: Math.ceil(name_for) };
}

/** The language of a screen's page: the one that it asks for, else the first of its own. */
function localeOf({ query, snapshot }: PageContext, { languages }: KnownScreen) {
  const { supportedLocales, defaultLocale } = snapshot.tenant;
  const wishes = [parseQuery(query).get('lang'), ...languages];
  return supportedLocales.find((code) => wishes.includes(code)) ?? defaultLocale;
}

/** `/screen`, and the settings of the screen that asks. */
export function createScreenRoutes(options: ScreenOptions): PageRoute[] {
  const { db, store, answers, screens, originOf, now } = options;
  const { maxScreenCodes, maxScreenClients } = constants;
  const bound = createMinuteBound<ClientNetwork>(maxScreenCodes, maxScreenClients, now);

  const pair = async (context: PageContext): Promise<Answer> => {
    const cookie = readScreenCookie(context);
    const { tenant } = context.snapshot;
    const mayMake = () => bound.take(clientSite(context.client)) === 0;
    const code = await lettersFor({ db, tenantId: tenant.id }, cookie, mayMake).catch(away);
    const reading = readRestaurant(context.snapshot);
    return pairingAnswer(reading, originOf(context), code, setScreenCookie(cookie, context));
  };
  const show = async (context: PageContext): Promise<Answer> => {
    const { tenant, locale } = context.snapshot;
    const cookie = readScreenCookie(context);
    const screen = await screens.find(tenant.id, cookie).catch(away);
    if (!screen) return pair(context);
    const wanted = localeOf(context, screen);
    const found = wanted === locale ? null : await store.find(tenant.slug, wanted);
    const page = await findPage(answers, found ?? context.snapshot, originOf(context), now());
    const answer = await selectAnswer(page, context);
    return withHeader(answer, 'Set-Cookie', setScreenCookie(cookie, context));
  };
  const settings = async (context: PageContext): Promise<Answer> => {
    const { tenant } = context.snapshot;
    const screen = await screens.find(tenant.id, readScreenCookie(context)).catch(away);
    if (!screen) throw new NotFoundError();
    return jsonAnswer('200 OK', JSON.stringify(shownSettings(screen)));
  };
  return [
    { kind: 'page', method: 'GET', path: SCREEN_PATH, call: show },
    { kind: 'page', method: 'GET', path: `${SCREEN_PATH}/settings`, call: settings },
  ];
}
