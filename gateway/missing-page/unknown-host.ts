import { readFileSync } from 'node:fs';
import { directionOf, type Locale } from '../../db/schema/values/locale.ts';
import { guestTexts } from '../../db/texts/catalogues.ts';
import { type Answer, createAnswer, PAGE_HEADERS } from '../http/answer.ts';
import type { Reply, Request } from '../http/exchange.ts';
import { html } from '../http/html.ts';
import { preferredLanguage } from '../http/negotiation.ts';
import { GUEST_LANGUAGES } from './missing-page.ts';

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  ...PAGE_HEADERS,
  Vary: 'Accept-Language',
};
const frame = readFileSync(new URL('./unknown-host.html', import.meta.url), 'utf8');

/** In the visitor's language, and in English for those whose browser speaks none of ours. */
function write(locale: Locale): Answer {
  const locales = locale === 'en' ? (['en', 'it'] as const) : ([locale, 'en'] as const);
  const sections = locales.map((one, at) => {
    const { noMenuTitle: title, noMenuText: text } = guestTexts(one).page;
    const heading = at === 0 ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`;
    const own = at > 0 && html` lang="${one}" dir="${directionOf(one)}"`;
    return html`  <section${own}>
    ${heading}
    <p>${text}</p>
  </section>
`.text;
  });
  const titles = locales.map((one) => guestTexts(one).page.noMenuTitle);
  const text = frame
    .replace('lang="it" dir="ltr"', `lang="${locale}" dir="${directionOf(locale)}"`)
    .replace('<!--title-->', html`${titles.join(' · ')}`.text)
    .replace('<!--sections-->', sections.join(''));
  const headers = { ...HEADERS, 'Content-Language': locale };
  return createAnswer('404 Not Found', 'no-cache', headers, Buffer.from(text));
}

const pages = new Map(GUEST_LANGUAGES.map((locale) => [locale, write(locale)]));

/**
 * The branded page for hosts that are no tenant: the only answer that is not JSON (SPEC, 6).
 *
 * @param wishes the header `Accept-Language`
 */
function unknownHostAnswer(wishes: string): Answer {
  const locale = preferredLanguage(wishes, GUEST_LANGUAGES) ?? 'it';
  return pages.get(locale) as Answer;
}

/** Under which requests for unknown hosts are counted. */
export const UNKNOWN_HOST = 'unknown host';

export function unknownHost({ headers }: Pick<Request, 'headers'>): Reply {
  const answer = unknownHostAnswer(headers.get('accept-language') ?? '');
  return { answer, route: UNKNOWN_HOST, limitHead: null };
}
