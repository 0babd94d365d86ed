import type { Dish } from '../../db/schema/dish.ts';
import { currencyDecimals } from '../../db/schema/values/currency.ts';
import { directionOf, type Locale } from '../../db/schema/values/locale.ts';
import { guestTexts } from '../../db/texts/catalogues.ts';
import type { PageRequest } from '../http/exchange.ts';
import { Html, html } from '../http/html.ts';
import { preferredLanguage } from '../http/negotiation.ts';
import type { Tenant } from '../snapshots/loaded-snapshot.ts';
import { at, IMPORTER, listFiles, pageVersion } from './assets.ts';
import { headPart, type PagePlace } from './head.ts';
import { structuredData } from './json-ld.ts';
import { dishItem } from './parts/dish.ts';
import { foot, legend, masthead, tools } from './parts/frame.ts';
import { dishesOf, type MenuView } from './parts/menu-view.ts';
import { sectionLinks, sectionPart } from './parts/section.ts';
import { openingTexts } from './parts/visit.ts';
import { qrCode } from './qr-code.ts';

/** The page's script sets this cookie when a guest chooses a language. */
const COOKIE = /(?:^|;)\s*lang=([A-Za-z]{2}(?:-[A-Za-z]{4})?)\s*(?:;|$)/;

function localeNamed(wish: string | undefined, supportedLocales: readonly Locale[]) {
  const name = wish?.toLowerCase();
  return name ? supportedLocales.find((code) => code.toLowerCase() === name) : undefined;
}

/**
 * The language of a guest's page: the address's `lang`, else the cookie's, else what the browser
 * prefers, else the restaurant's default.
 */
export function chooseLocale(
  lang: string | undefined,
  { cookie, acceptLanguage }: Pick<PageRequest, 'cookie' | 'acceptLanguage'>,
  { supportedLocales, defaultLocale }: Tenant,
): Locale {
  const kept = cookie === '' ? undefined : COOKIE.exec(cookie)?.[1];
  const wanted = localeNamed(lang, supportedLocales) ?? localeNamed(kept, supportedLocales);
  if (wanted) return wanted;
  return preferredLanguage(acceptLanguage, supportedLocales, defaultLocale) ?? defaultLocale;
}

/** Data for scripts and search engines. Each `<` is escaped, so that no text can end the element. */
function dataBlock(type: string, attributes: string, data: unknown): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return new Html(`<script type="${type}"${attributes}>${json}</script>\n`);
}

/** The texts that the page's script shows, in the page's language. */
function scriptTexts(view: MenuView, { isWall, carried }: PagePlace) {
  const { texts, textLocale } = view;
  const { found, hidden, undeclaredHidden, unmarkedHidden, nothing } = texts;
  const { updated, outage, browse, pause, resume, share, linkCopied, closed: noneServed } = texts;
  const ofList = Object.fromEntries(
    Object.entries(texts).filter(([name]) => name.startsWith('list')),
  );
  const onScreen = { browse, pause, resume, updated, outage, noneServed };
  return {
    found,
    hidden,
    undeclaredHidden,
    unmarkedHidden,
    nothing,
    ...onScreen,
    share,
    linkCopied,
    ...ofList,
    soldOut: texts.soldOut,
    onRequest: texts.onRequest,
    files: listFiles.map((name) => at(pageVersion, name)),
    ...(isWall && stickTexts(textLocale)),
    ...(carried && { carried, askStaff: guestTexts(textLocale).law.askStaff }),
    ...openingTexts(view),
  };
}

function openingTags(view: MenuView, place: PagePlace, tag: string): Html {
  const { theme, locale, snapshot, settings } = view;
  const isEmpty = view.tree.length === 0 && html` data-empty`;
  const data = html`data-tag="${tag}" data-release="${pageVersion}" \
data-generated="${snapshot.generatedAt}" data-version="${snapshot.version}" data-timezone="${snapshot.tenant.timezone}" \
data-layout="${theme.layout_variant}" data-header="${theme.header_style}" data-font="${theme.font_url}" data-house="${snapshot.tenant.defaultLocale}" data-currency="${settings.currency}" \
data-decimals="${currencyDecimals(settings.currency)}"${place.preview ? html` data-preview` : null}`;
  return html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}"${place.isWall && html` class="screen"`} ${data}${isEmpty}>
${headPart(view, place)}<body>
<a class="skip" id="skip" href="#menu">${view.texts.skip}</a>
${place.preview ? html`<aside class="previewing">${place.preview.banner}</aside>` : null}${masthead(view)}<div id="bar">
${sectionLinks(view.tree, view)}
${tools(view)}
</div>
<main id="menu" tabindex="-1" aria-label="${settings.name}">
`;
}

/** The texts of a screen that takes a menu from a stick, and the script that does it. */
function stickTexts(locale: Locale) {
  return { stick: guestTexts(locale).stick, importer: at(pageVersion, IMPORTER) };
}

function closingTags(view: MenuView, place: PagePlace): Html {
  const { origin } = place;
  const { texts, tree } = view;
  const nothing = tree.length > 0 ? texts.closed : texts.empty;
  return html`<p class="nothing">${nothing}</p>
</main>
${legend(view)}${foot(view)}<aside id="paper" aria-label="${texts.onPhone}">
${qrCode(`${origin}/`)}
<p>${texts.onPhone}<br><span translate="no">${origin.replace(/^https?:\/\//, '')}</span></p>
</aside>
<p id="outage" role="status"></p>
${dataBlock('application/json', ' id="texts"', scriptTexts(view, place))}${dataBlock(
  'application/ld+json',
  '',
  structuredData(view, origin),
)}</body>
</html>
`;
}

/**
 * Writes a menu as an HTML document, in short steps.
 *
 * @param tag the entity tag that the document is served with
 */
export function* writeMenuPage(
  view: MenuView,
  place: PagePlace,
  tag: string,
): Generator<void, string> {
  const dishes = new Map<Dish, Html>();
  for (const dish of dishesOf(view.tree)) {
    dishes.set(dish, dishItem(dish, view));
    yield;
  }
  const pieces = [openingTags(view, place, tag).text];
  for (const section of view.tree) {
    pieces.push(sectionPart(section, { ...view, dishes }).text);
    yield;
  }
  pieces.push(closingTags(view, place).text);
  return pieces.join('');
}
