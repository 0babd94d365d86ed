import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Dish } from '../../db/schema/dish.ts';
import { withMediaOrigin } from '../../db/schema/media-origin.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import { directionOf } from '../../db/schema/values/locale.ts';
import { headIn } from '../../db/snapshot/parts.ts';
import { decodeTemplates } from '../../db/snapshot/template.ts';
import { findPreview, type PreviewKey } from '../../db/sql/release-previews.ts';
import type { MenuHead } from '../../db/sql/snapshots.ts';
import { PANEL_LANGUAGES } from '../../db/texts/catalogues.ts';
import { sayIn } from '../../db/texts/say.ts';
import { type Answer, createAnswer, PAGE_HEADERS } from '../http/answer.ts';
import { NOT_CACHED } from '../http/cdn-caching.ts';
import { NotFoundError, tooManyAttempts, UnavailableError, unavailable } from '../http/errors.ts';
import type { PageRequest } from '../http/exchange.ts';
import { type Content, Html, html, UNLISTED } from '../http/html.ts';
import { parseQuery } from '../http/query.ts';
import { createMinuteBound } from '../limits/minute-bound.ts';
import type { PageRoute } from '../pipeline/route.ts';
import { addressedHead, type MediaOrigin } from '../snapshots/addressed.ts';
import { type LoadedSnapshot, loadSnapshot, type Tenant } from '../snapshots/loaded-snapshot.ts';
import { menuCss } from '../theme/theme-css.ts';
import { at, pageVersion } from './assets.ts';
import { chooseLocale, writeMenuPage } from './document.ts';
import { fontLink } from './head.ts';
import { dishItem } from './parts/dish.ts';
import { foot, masthead } from './parts/frame.ts';
import { dishesOf, type MenuReading, type MenuView, readMenu } from './parts/menu-view.ts';
import { sectionLinks, sectionPart } from './parts/section.ts';
import { previewPolicy, releasePreviewPolicy } from './policy.ts';

/** Pause between two looks for a preview that a worker makes, in ms. */
const PREVIEW_INTERVAL = 100;

/** A document that shows a draft as guests will see it. */
export interface Preview {
  text: string;
  contentSecurityPolicy: string;
}

function previewOf({ theme, locale, settings }: MenuReading, body: Content): Preview {
  const css = menuCss(theme, settings.supported_locales);
  const sheet = (name: string) => html`<link rel="stylesheet" href="${at(pageVersion, name)}">`;
  const { text } = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}" data-layout="${theme.layout_variant}" data-header="${theme.header_style}">
<head>
${UNLISTED}
<title>${settings.name}</title>
<style>${new Html(css)}</style>
${sheet('display.css')}
${fontLink(theme)}${sheet('no-script.css')}
${sheet('preview.css')}
</head>
<body>${body}</body>
</html>
`;
  return { text, contentSecurityPolicy: previewPolicy(theme, css) };
}

export function dishPreview(dish: Dish, reading: MenuReading): Preview {
  // A new dish has no price until one is typed.
  const price = (amount: number) => (Number.isNaN(amount) ? '' : reading.price(amount));
  const list = html`<ul class="dishes">${dishItem(dish, { ...reading, price })}</ul>`;
  return previewOf(reading, html`<main id="menu"><section>${list}</section></main>`);
}

function sections(tree: readonly SectionTree[], reading: MenuReading): Html[] {
  const dishes = new Map(
    Array.from(dishesOf(tree), (dish) => [dish, dishItem(dish, reading)] as const),
  );
  return tree.map((section) => sectionPart(section, { ...reading, dishes }));
}

/** A section's head: its name, its times and its notes. */
export function sectionPreview(section: SectionTree, reading: MenuReading): Preview {
  return previewOf(reading, html`<main id="menu">${sections([section], reading)}</main>`);
}

/**
 * A menu in a theme. Nothing in it can be operated: its links lead to the menu as it is.
 *
 * @param above stands above the menu
 */
export function themePreview(view: MenuView, above: Content): Preview {
  const menu = html`<div inert>${masthead(view)}<div id="bar">${sectionLinks(view.tree, view)}</div>
<main id="menu">${sections(view.tree, view)}</main>
${foot(view)}</div>`;
  return previewOf(view, [above, menu]);
}

// The menu as a release will make it. Nothing of it comes into the memory of public answers.

interface PreviewOptions {
  db: Database;
  mediaOrigin: MediaOrigin;
  /** Milliseconds since 1970. */
  now: () => number;
}

const away = unavailable('could not read the preview of a release');

/** The preview of a release once a worker has made it; null when there is no release that waits. */
async function findMade(db: Database, tenantId: number, key: PreviewKey) {
  const end = performance.now() + constants.previewTimeout;
  for (;;) {
    const found = await findPreview(db, tenantId, key).catch(away);
    if (!found || (found.state !== 'draft' && found.state !== 'scheduled')) return null;
    const { head, templates } = found;
    if (head !== null && templates !== null) return { ...found, head, templates };
    if (performance.now() > end) throw new UnavailableError('no worker has made the preview');
    await sleep(PREVIEW_INTERVAL);
  }
}

function withOrigin<T extends { head: MenuHead; templates: string }>(made: T, origin: string): T {
  const { head, templates } = made;
  return {
    ...made,
    head: addressedHead(head, origin),
    templates: withMediaOrigin(templates, origin),
  };
}

/** Headers of a page that no cache and no search engine keeps, and that tells its address nowhere. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  ...PAGE_HEADERS,
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
};

function load(
  tenant: Tenant,
  { head, templates, timezone }: { head: MenuHead; templates: string; timezone: string },
  lang: string | undefined,
  request: PageRequest,
): LoadedSnapshot {
  const { locales, defaultLocale, fallbackLocale } = head;
  const own: Tenant = {
    ...{ ...tenant, defaultLocale, fallbackLocale, timezone },
    ...{ supportedLocales: locales, snapshots: new Map(), hot: undefined },
    cdn: NOT_CACHED,
  };
  const locale = chooseLocale(lang, request, own);
  return loadSnapshot(
    own,
    headIn(head, locale),
    decodeTemplates(templates === '' ? [] : [templates]),
    () => undefined,
  );
}

/**
 * The page of a preview; null when there is no release that waits under this name.
 *
 * @param refuse an answer in place of the page; asked when there is such a release
 * @throws UnavailableError
 */
export async function drawReleasePreview(
  { db, mediaOrigin, now }: PreviewOptions,
  tenant: Tenant,
  key: PreviewKey,
  request: PageRequest,
  refuse: () => Answer | null = () => null,
): Promise<Answer | null> {
  const made = await findMade(db, tenant.id, key);
  if (!made) return null;
  const refusal = refuse();
  if (refusal) return refusal;
  const origin = mediaOrigin(tenant.slug);
  const query = parseQuery(request.query);
  const snapshot = load(tenant, withOrigin(made, origin), query.get('lang'), request);
  const at = made.starts_at === null ? now() : Date.parse(made.starts_at);
  const view = await inSlices(readMenu(snapshot, at));
  const css = menuCss(view.theme, view.settings.supported_locales);
  const language = PANEL_LANGUAGES.find((one) => one === view.locale) ?? 'en';
  const banner = sayIn(language)('releases.banner', { name: made.name });
  const isWall = query.get('screen') === '1';
  const place = { origin, themeVersion: '', isWall, preview: { css, banner } };
  const text = await inSlices(writeMenuPage(view, place, ''));
  // Its languages are those of the preview itself.
  const body = Buffer.from(text.replaceAll('href="/?lang=', 'href="?lang='));
  return createAnswer(
    '200 OK',
    'no-store',
    {
      ...HEADERS,
      'Content-Language': view.locale,
      'Content-Security-Policy': releasePreviewPolicy(view.theme, css),
    },
    body,
  );
}

/** `GET /preview/{secret}`: the preview for everybody who has its link, so many times a minute. */
export function previewRoute(options: PreviewOptions): PageRoute {
  const { maxPreviewsPerMinute, maxPanelWindows } = constants;
  const bound = createMinuteBound<number>(maxPreviewsPerMinute, maxPanelWindows, options.now);
  return {
    kind: 'page',
    method: 'GET',
    path: '/preview/:secret',
    call: async (context) => {
      const { tenant } = context.snapshot;
      // Guesses cost those who have the link nothing.
      const refuse = () => {
        const wait = bound.take(tenant.id);
        return wait > 0 ? tooManyAttempts(wait) : null;
      };
      const key = { secret: context.param };
      const drawn = await drawReleasePreview(options, tenant, key, context, refuse);
      if (!drawn) throw new NotFoundError();
      return drawn;
    },
  };
}
