import { readFileSync } from 'node:fs';
import { ALL_LOCALES, directionOf, type Locale } from '../../db/schema/values/locale.ts';
import { guestLanguage, guestTexts, type PageTexts } from '../../db/texts/catalogues.ts';
import { type Answer, createAnswer, PAGE_HEADERS } from '../http/answer.ts';
import type { Reply, Request } from '../http/exchange.ts';
import { type Html, html, UNLISTED } from '../http/html.ts';
import { preferredLanguage } from '../http/negotiation.ts';
import { API_PREFIX, isOfPanel } from '../http/path.ts';

/** The languages in which guests read the texts beside a menu; Italian first. */
const GUEST_LANGUAGES = ALL_LOCALES.filter((locale) => guestLanguage(locale) === locale);

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  ...PAGE_HEADERS,
  Vary: 'Accept-Language',
};
const frame = readFileSync(new URL('./unknown-host.html', import.meta.url), 'utf8');

/** A page of a host that shows no menu: what it says in a language, and what follows. */
interface HostPage {
  status: string;
  /** In large letters. */
  sign: string;
  say(texts: PageTexts): { title: string; content: Html };
  footer: Html;
  /** Whether it is in one language alone. */
  isOnce?: boolean;
}

/** In the visitor's language, and in English for those whose browser speaks none of ours. */
function writeHostPage(locale: Locale, { status, sign, say, footer, isOnce = false }: HostPage) {
  const second = locale === 'en' ? 'it' : 'en';
  const locales: Locale[] = isOnce ? [locale] : [locale, second];
  const said = locales.map((one) => say(guestTexts(one).page));
  const sections = said.map(({ title, content }, at) => {
    const one = locales[at] ?? 'en';
    const heading = at === 0 ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`;
    const own = at > 0 && html` lang="${one}" dir="${directionOf(one)}"`;
    return html`  <section${own}>
    ${heading}
    ${content}
  </section>
`.text;
  });
  const text = frame
    .replace('lang="it" dir="ltr"', () => `lang="${locale}" dir="${directionOf(locale)}"`)
    .replace('<!--title-->', () => html`${said.map(({ title }) => title).join(' · ')}`.text)
    .replace('<!--sign-->', () => sign)
    .replace('<!--sections-->', () => sections.join(''))
    .replace('<!--footer-->', () => footer.text);
  const headers = { ...HEADERS, 'Content-Language': locale };
  return createAnswer(status, 'no-cache', headers, Buffer.from(text));
}

const NO_MENU: HostPage = {
  status: '404 Not Found',
  sign: '404',
  say: ({ noMenuTitle, noMenuText }) => ({
    title: noMenuTitle,
    content: html`<p>${noMenuText}</p>`,
  }),
  footer: html`Siete il ristoratore? Il vostro fornitore sa quale indirizzo è il vostro. <span lang="en">· Are you the owner? Your provider knows which address is yours.</span>`,
};
const unknownHosts = new Map(
  GUEST_LANGUAGES.map((locale) => [locale, writeHostPage(locale, NO_MENU)]),
);

type Asking = Pick<Request, 'acceptLanguage'>;

const languageOf = ({ acceptLanguage }: Asking): Locale =>
  preferredLanguage(acceptLanguage, GUEST_LANGUAGES) ?? 'it';

/** Under which requests for unknown hosts are counted. */
export const UNKNOWN_HOST = 'unknown host';

/** The branded page for hosts that are no tenant: the only answer that is not JSON (SPEC, 6). */
export function unknownHost(request: Asking): Reply {
  const answer = unknownHosts.get(languageOf(request)) as Answer;
  return { answer, route: UNKNOWN_HOST, limitHead: null };
}

/**
 * The page of a restaurant that its operator has suspended. Its status is that of a host without a
 * menu, so that programs and search engines take it for nothing else.
 *
 * @param reason in the operator's own words
 */
export function suspendedHost(request: Asking, reason: string | null): Reply {
  const page: HostPage = {
    status: '404 Not Found',
    sign: '',
    // In the operator's own words it need not be said twice.
    isOnce: reason !== null,
    say: ({ pausedTitle, pausedText }) => ({
      title: pausedTitle,
      content: html`<p dir="auto">${reason ?? pausedText}</p>`,
    }),
    footer: html`<a href="/admin">${guestTexts(languageOf(request)).page.toPanel}</a>`,
  };
  return {
    answer: writeHostPage(languageOf(request), page),
    route: 'suspended host',
    limitHead: null,
  };
}

/** The page for a form of the panel that was sent to a restaurant's former address. */
export function movedForm(request: Asking, origin: string): Reply {
  const page: HostPage = {
    status: '404 Not Found',
    sign: '→',
    say: ({ movedTitle, movedText }) => ({
      title: movedTitle,
      content: html`<p>${movedText}</p><p><a href="${origin}/admin">${origin}/admin</a></p>`,
    }),
    footer: html``,
  };
  return {
    answer: writeHostPage(languageOf(request), page),
    route: 'former host',
    limitHead: null,
  };
}

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0; min-height: 100svh; display: grid; place-items: center; }
body { font: 1.0625rem/1.5 Georgia, serif; }
main { max-width: 34rem; padding: 1.5rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; font-weight: 600; }
a { display: inline-block; margin-inline-end: 1.5rem; padding: .75rem 0; color: inherit; }`;

function write(locale: Locale, isPanel: boolean): Answer {
  const { page } = guestTexts(locale);
  const panel = isPanel && html`<a href="/admin">${page.toPanel}</a>\n`;
  const { text } = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
${UNLISTED}
<title>${page.missingTitle}</title>
<link rel="stylesheet" href="data:text/css;base64,${Buffer.from(STYLE).toString('base64')}">
</head>
<body>
<main>
<h1>${page.missingTitle}</h1>
<p>${page.missingText}</p>
<p>${panel}<a href="/">${page.toMenu}</a></p>
</main>
</body>
</html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': locale,
    'Content-Security-Policy':
      "default-src 'none'; style-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...PAGE_HEADERS,
    Vary: 'Accept, Accept-Language',
  };
  return createAnswer('404 Not Found', 'no-cache', headers, Buffer.from(text));
}

const pages = new Map(
  GUEST_LANGUAGES.map((locale) => [locale, [write(locale, false), write(locale, true)]]),
);

/** The page for a browser that asks a restaurant's host for what is not there; null for the API. */
export function missingPage(
  { path, headers, acceptLanguage }: Pick<Request, 'path' | 'headers' | 'acceptLanguage'>,
  defaultLocale: Locale,
): Answer | null {
  const isApi = path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
  if (isApi || !/\btext\/html\b/i.test(headers.get('accept') ?? '')) return null;
  const usual = guestLanguage(defaultLocale);
  const wish = preferredLanguage(acceptLanguage, GUEST_LANGUAGES, usual) ?? usual;
  const [menu, panel] = pages.get(wish) ?? [];
  return (isOfPanel(path) ? panel : menu) ?? null;
}
