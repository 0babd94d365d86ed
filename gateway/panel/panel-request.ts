import { timingSafeEqual } from 'node:crypto';
import type { Locale } from '../../db/schema/locale.ts';
import { type Say, sayIn } from '../../db/texts/say.ts';
import { tenantSlug } from '../http/host.ts';
import { isForwardedTls } from '../http/request-origin.ts';
import type { FrontContext } from '../pipeline/route.ts';
import { type Brand, brandOf } from './brand.ts';
import { type BrowserCookie, formToken, readBrowserCookie } from './browser-cookie.ts';
import type { Purpose } from './sign-in/kept-form.ts';
import { chooseLanguage } from './texts/choose.ts';

/** A request for one of the panel's pages, with what every page needs to know of it. */
export interface PanelRequest {
  context: FrontContext;
  tenantId: number;
  brand: Brand;
  /** The language of the page and of its dates. */
  language: Locale;
  say: Say;
  cookie: BrowserCookie;
  /** The browser reached us through TLS. */
  secure: boolean;
  /** Why somebody signs in, on the page where they do. */
  purpose?: Purpose;
}

export function readPanelRequest(context: FrontContext): PanelRequest {
  const { front, headers } = context;
  const isTls = context.secure || isForwardedTls(headers);
  const language = chooseLanguage(headers, front.tenant.defaultLocale);
  return {
    context,
    tenantId: front.tenant.id,
    brand: brandOf(front),
    language,
    say: sayIn(language),
    cookie: readBrowserCookie(headers.get('cookie') ?? '', isTls),
    // A proxy that says nothing is betrayed by the browser, once it sends a form.
    secure: isTls || (headers.get('origin') ?? '').startsWith('https://'),
  };
}

/** Whether a form was sent from a page of ours, as far as the browser says where it comes from. */
export function isFromOurPage(request: PanelRequest, domain: string): boolean {
  const { headers, front } = request.context;
  const site = headers.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = headers.get('origin');
  if (origin !== undefined) {
    const host = URL.canParse(origin) ? new URL(origin).host : '';
    if (tenantSlug(host, domain) !== front.tenant.slug) return false;
  }
  return true;
}

/**
 * Whether a form was sent from a page of ours to the browser that we gave it to. Browsers say where
 * a form comes from; the token holds even where they do not.
 */
export function isOwnForm(request: PanelRequest, token: string, domain: string): boolean {
  if (!isFromOurPage(request, domain)) return false;
  const given = Buffer.from(token);
  const expected = Buffer.from(formToken(request.cookie));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
