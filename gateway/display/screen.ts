import { trustedKeys } from '../../db/actions/bundle-keys.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { DAY } from '../../db/runtime/day.ts';
import { keysOf } from '../../db/runtime/keys.ts';
import { type ScreenSettings, screenSettings } from '../../db/schema/screen.ts';
import { directionOf, requestedLocale } from '../../db/schema/values/locale.ts';
import type { KnownScreen, ScreenContact } from '../../db/sql/screens.ts';
import { type Answer, createAnswer, jsonAnswer, PAGE_HEADERS, withHeader } from '../http/answer.ts';
import { type ClientNetwork, clientSite } from '../http/client-address.ts';
import { NotFoundError, unavailable } from '../http/errors.ts';
import type { Request } from '../http/exchange.ts';
import { html, UNLISTED } from '../http/html.ts';
import { parseQuery } from '../http/query.ts';
import { createCookieKind, type RandomCookie } from '../http/random-cookie.ts';
import { selectAnswer } from '../http/representations.ts';
import { isTls } from '../http/request-origin.ts';
import { createMinuteBound } from '../limits/minute-bound.ts';
import type { PageContext, PageRoute } from '../pipeline/route.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { type StreamingScreen, UNREAD_SCREEN } from '../stream/register.ts';
import { at, pageVersion } from './assets.ts';
import type { Pages } from './page.ts';
import { type MenuReading, readRestaurant } from './parts/menu-view.ts';
import { qrCode } from './qr-code.ts';
import { lettersFor, type Screens } from './screens.ts';

/** Pause after which a screen without a place asks again, in s. */
const SCREEN_REFRESH_SECONDS = 4;

/** Clients whose new letters are counted. */
const MAX_SCREEN_CLIENTS = 10_000;

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The page where owners type the letters of a screen. */
const formAddress = (origin: string, code: string) => `${origin}/admin/screens?code=${code}`;

/**
 * The page of a screen without a place: six letters, and a code that leads a phone to the panel. It
 * asks again every few seconds, also without script, so that any browser finds its place.
 *
 * @param code null when too many wait
 * @param cookie of the screen, as Set-Cookie has it
 */
function pairingAnswer(
  { texts, textLocale, settings }: MenuReading,
  origin: string,
  code: string | null,
  cookie: string,
): Answer {
  const seconds = String(SCREEN_REFRESH_SECONDS);
  const letters =
    code &&
    html`<p class="letters" translate="no">${code}</p>
<p>${texts.pairHow}</p>
${qrCode(formAddress(origin, code))}`;
  const { text } = html`<!doctype html>
<html lang="${textLocale}" dir="${directionOf(textLocale)}">
<head>
${UNLISTED}
<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>
<title>${settings.name}</title>
<link rel="stylesheet" href="${at(pageVersion, 'pair.css')}">
<script src="${at(pageVersion, 'pair.js')}" defer></script>
</head>
<body><main data-letters="${code ?? ''}" data-seconds="${seconds}">
<h1>${texts.pairTitle}</h1>
${letters ?? html`<p>${texts.pairBusy}</p>`}
</main></body>
</html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': textLocale,
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'Set-Cookie': cookie,
    ...PAGE_HEADERS,
  };
  return createAnswer('200 OK', 'no-store', headers, Buffer.from(text));
}

/** Browsers keep no cookie longer; a screen gets it anew whenever it loads its page, once a day. */
const LASTS = 400 * DAY;

const cookies = createCookieKind('lavagna-screen', '/');

type Asked = Pick<Request, 'headers' | 'secure'>;

/** The cookie by which a screen is known, or a new one. */
function readScreenCookie(request: Asked): RandomCookie {
  return cookies.read(request.headers.get('cookie') ?? '', isTls(request));
}

/** The Set-Cookie header that keeps it. */
function setScreenCookie(cookie: RandomCookie, request: Asked): string {
  return cookies.set({ ...cookie, lasts: LASTS }, isTls(request));
}

/** The address of every screen: without a place it shows letters, and with one its menu. */
const SCREEN_PATH = '/screen';

export interface ScreenOptions {
  db: Database;
  pages: Pages;
  store: Pick<SnapshotStore, 'find'>;
  screens: Screens;
  originOf: (context: PageContext) => string;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
}

/** Longest side of a screen, in pixels of CSS. */
const MAX_SIDE = 32_767;

const away = unavailable('could not read the screens');

/** The settings that the screen's page reads, and for how many ms it shows its name. */
export function shownSettings({ name_for, ...screen }: ScreenSettings & { name_for: number }) {
  const names = keysOf(screenSettings.entries);
  const settings = Object.fromEntries(names.map((name) => [name, screen[name]]));
  return { ...(settings as ScreenSettings), name_for: Math.ceil(name_for) };
}

/** The language of a screen's page: the one that it asks for, else the first of its own. */
function localeOf({ query, snapshot }: PageContext, { languages }: KnownScreen) {
  const { supportedLocales, defaultLocale } = snapshot.tenant;
  const wishes = [parseQuery(query).get('lang'), ...languages];
  const asked = wishes.map((wish) => requestedLocale(wish ?? ''));
  const known = asked.flatMap((wish) => supportedLocales.filter((code) => code === wish));
  return known[0] ?? defaultLocale;
}

/** The size that a screen says it has; null for none that a screen can have. */
function sizeIn(query: ReadonlyMap<string, string>): ScreenContact['size'] {
  const [width = 0, height = 0] = ['width', 'height'].map((name) => Number(query.get(name)));
  const isSize = (side: number) => Number.isInteger(side) && side > 0 && side <= MAX_SIDE;
  return isSize(width) && isSize(height) ? { width, height } : null;
}

/** The screen that asks for a stream, so that its contacts are noted; undefined for other displays. */
export async function streamingScreen(
  { screens }: Pick<ScreenOptions, 'screens'>,
  context: PageContext,
): Promise<StreamingScreen | typeof UNREAD_SCREEN | undefined> {
  const query = parseQuery(context.query);
  if (query.get('screen') !== '1') return undefined;
  const tenantId = context.snapshot.tenant.id;
  // While Postgres is away the menu is still followed.
  const reading = screens.find(tenantId, readScreenCookie(context));
  const screen = await reading.catch((): typeof UNREAD_SCREEN => UNREAD_SCREEN);
  if (screen === UNREAD_SCREEN) return screen;
  if (!screen) return undefined;
  const size = sizeIn(query);
  const { id } = screen;
  return { id, note: (isHere) => screens.note({ tenantId, id, isHere, version: null, size }) };
}

/** `/screen`, and the settings of the screen that asks. */
export function createScreenRoutes(options: ScreenOptions): PageRoute[] {
  const { db, store, pages, screens, originOf, now } = options;
  const { maxScreenCodes } = constants;
  const bound = createMinuteBound<ClientNetwork>(maxScreenCodes, MAX_SCREEN_CLIENTS, now);

  const pair = async (context: PageContext): Promise<Answer> => {
    const cookie = readScreenCookie(context);
    const { tenant } = context.snapshot;
    const client = clientSite(context.client);
    const mayMake = () => bound.take(client) === 0;
    const whose = { db, tenantId: tenant.id };
    const code = await lettersFor(whose, cookie, client, mayMake).catch(away);
    const reading = readRestaurant(context.snapshot, now());
    return pairingAnswer(reading, originOf(context), code, setScreenCookie(cookie, context));
  };
  const show = async (context: PageContext): Promise<Answer> => {
    const { tenant, locale } = context.snapshot;
    const cookie = readScreenCookie(context);
    const screen = await screens.find(tenant.id, cookie).catch(away);
    if (!screen) return pair(context);
    const wanted = localeOf(context, screen);
    const found = wanted === locale ? null : await store.find(tenant.slug, wanted);
    const shown = found ?? context.snapshot;
    const page = await pages(shown, context, 'wall');
    const { version } = shown;
    screens.note({ tenantId: tenant.id, id: screen.id, isHere: true, version, size: null });
    const answer = await selectAnswer(page, context);
    return withHeader(answer, 'Set-Cookie', setScreenCookie(cookie, context));
  };
  const settings = async (context: PageContext): Promise<Answer> => {
    const { tenant } = context.snapshot;
    const screen = await screens.find(tenant.id, readScreenCookie(context)).catch(away);
    if (!screen) throw new NotFoundError();
    // Without Postgres a screen keeps the keys that it knows.
    const keys = await trustedKeys(db, tenant.id).catch(() => undefined);
    const trust = { restaurant: tenant.slug, bundle_keys: keys };
    return jsonAnswer('200 OK', JSON.stringify({ ...shownSettings(screen), ...trust }));
  };
  return [
    { kind: 'page', method: 'GET', path: SCREEN_PATH, call: show },
    { kind: 'page', method: 'GET', path: `${SCREEN_PATH}/settings`, call: settings },
  ];
}
