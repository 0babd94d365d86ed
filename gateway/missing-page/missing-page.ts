import { ALL_LOCALES, directionOf, type Locale } from '../../db/schema/values/locale.ts';
import { guestLanguage, guestTexts } from '../../db/texts/catalogues.ts';
import { type Answer, createAnswer, PAGE_HEADERS } from '../http/answer.ts';
import type { Request } from '../http/exchange.ts';
import { html } from '../http/html.ts';
import { preferredLanguage } from '../http/negotiation.ts';
import { API_PREFIX } from '../http/path.ts';

/** The languages in which guests read the texts beside a menu; Italian first. */
export const GUEST_LANGUAGES = ALL_LOCALES.filter((locale) => guestLanguage(locale) === locale);

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
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
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
  { path, headers }: Pick<Request, 'path' | 'headers'>,
  defaultLocale: Locale,
): Answer | null {
  const isApi = path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
  if (isApi || !/\btext\/html\b/i.test(headers.get('accept') ?? '')) return null;
  const usual = guestLanguage(defaultLocale);
  const available = [usual, ...GUEST_LANGUAGES.filter((locale) => locale !== usual)];
  const wish = preferredLanguage(headers.get('accept-language') ?? '', available) ?? usual;
  const [menu, panel] = pages.get(wish) ?? [];
  return (/^\/admin(\/|$)/.test(path) ? panel : menu) ?? null;
}
