import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PanelLanguage } from '../../db/texts/catalogues.ts';
import { type Say, sayIn } from '../../db/texts/say.ts';
import { createCookieKind, type RandomCookie } from '../http/random-cookie.ts';
import { hostName, isTls } from '../http/request-origin.ts';
import type { RestaurantContext } from '../pipeline/route.ts';
import { type Brand, brandOf } from './brand.ts';
import { requestLanguage } from './texts/choose.ts';

/**
 * The panel's only cookie: a random value. Before sign-in it ties a form to the browser that it was
 * sent to; sign-in replaces it by a new one, whose hash names the session. Its session may last less
 * than the cookie.
 */
const cookies = createCookieKind('lavagna', '/admin');
export const { fresh: newBrowserCookie, read: readBrowserCookie, set: setBrowserCookie } = cookies;

/** The token in every form of this browser; the hash of the cookie does not yield it. */
export function formToken(cookie: RandomCookie): string {
  return createHmac('sha256', Buffer.from(cookie.value, 'base64url'))
    .update('form')
    .digest('base64url');
}

/** A form that somebody sent after the session had ended, and what it held. */
export interface KeptForm {
  path: string;
  /** As the browser sent it. */
  body: string;
}

/** Where somebody goes after signing in, and with what. */
export interface Purpose {
  next: string | null;
  kept: KeptForm | null;
}

/** A request for one of the panel's pages, with what every page needs to know of it. */
export interface PanelRequest {
  context: RestaurantContext;
  tenantId: number;
  brand: Brand;
  /** The language of the page and of its dates. */
  language: PanelLanguage;
  say: Say;
  cookie: RandomCookie;
  /** The browser reached us through TLS. */
  secure: boolean;
  /** Whose page has sent a form, as the browser says; `unsaid` where it says nothing, and for reads. */
  source: 'own' | 'foreign' | 'unsaid';
  /** Why somebody signs in, on the page where they do. */
  purpose?: Purpose;
}

export function readPanelRequest(context: RestaurantContext): PanelRequest {
  const { restaurant, headers } = context;
  const cameByTls = isTls(context);
  const language = requestLanguage(headers, restaurant.tenant.defaultLocale);
  return {
    context,
    tenantId: restaurant.tenant.id,
    brand: brandOf(restaurant),
    language,
    say: sayIn(language),
    cookie: readBrowserCookie(headers.get('cookie') ?? '', cameByTls),
    // Some proxies do not name the protocol; the browser does, with the origin of a form.
    secure: cameByTls || (headers.get('origin') ?? '').startsWith('https://'),
    source: sourceOf(context),
  };
}

/** A page of another port of the same host is ours: a proxy may listen on another one than we do. */
function sourceOf({ method, headers, host }: RestaurantContext): PanelRequest['source'] {
  if (method !== 'post') return 'unsaid';
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  if (site !== undefined && site !== 'same-origin') return 'foreign';
  if (origin === undefined) return site === undefined ? 'unsaid' : 'own';
  const name = URL.canParse(origin) ? hostName(new URL(origin).host) : '';
  return name === hostName(host) ? 'own' : 'foreign';
}

/** Whether a form comes from a page of ours, as the browser says or as its token shows. */
export function isFromOurPage(request: PanelRequest, token: string): boolean {
  return request.source === 'own' || isOwnForm(request, token);
}

/**
 * Whether a form was sent to the browser that we gave it to. Browsers say where a form comes from, and
 * the panel refuses those of other sites; the token holds even where a browser says nothing.
 */
export function isOwnForm(request: PanelRequest, token: string): boolean {
  const given = Buffer.from(token);
  const expected = Buffer.from(formToken(request.cookie));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
