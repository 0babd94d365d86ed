import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { type Answer, createAnswer, streamAnswer } from '../http/answer.ts';
import type { Asset } from '../http/asset.ts';
import type { DerivedAnswers } from '../http/derived-answers.ts';
import { html } from '../http/html.ts';
import { parseQuery } from '../http/query.ts';
import { selectAnswer } from '../http/representations.ts';
import type { LinkPreviews } from '../media/link-previews.ts';
import { type MediaCache, mediaRoute } from '../media/media.ts';
import { isLater } from '../pipeline/later.ts';
import type { FrontRoute, PageContext, PageRoute } from '../pipeline/route.ts';
import type { MediaOrigin } from '../snapshots/addressed.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { LiveMenus } from '../stream/live-menus.ts';
import { fontAssets } from '../theme/own-fonts.ts';
import { TOUCH_ICON_SIZES } from '../theme/touch-icon.ts';
import { pageAssets } from './assets.ts';
import { chooseLocale } from './document.ts';
import { MANIFEST_PATH, manifestAnswer, pageAddress, touchIconAnswer } from './head.ts';
import { findPage, themeSheet } from './page.ts';
import { previewRoute } from './release-preview.ts';
import { createScreenRoutes, type ScreenOptions, streamingScreen } from './screen.ts';

const WORKER = 'worker.js';

export interface DisplayOptions extends Pick<ScreenOptions, 'db' | 'screens'> {
  liveMenus: Pick<LiveMenus, 'begin'>;
  store: Pick<SnapshotStore, 'find'>;
  answers: DerivedAnswers;
  media: MediaCache;
  linkPreviews: LinkPreviews;
  mediaOrigin: MediaOrigin;
  originOf: OriginOf;
  /** Milliseconds since 1970. */
  now: () => number;
}

type Handle = (context: PageContext) => Answer | Promise<Answer>;

const read = (path: string, call: Handle): PageRoute => ({
  kind: 'page',
  method: 'GET',
  path,
  call,
});

function assetRoute(path: string, find: (context: PageContext) => Asset): PageRoute {
  return read(path, (context) => selectAnswer(find(context).read(context.param), context));
}

/** The restaurant's menu as a page, `{tenant_url}/`, with its files and what search engines ask for. */
export function createDisplayRoutes(options: DisplayOptions): (PageRoute | FrontRoute)[] {
  const { store, answers, media, mediaOrigin, liveMenus, screens, db, now } = options;
  const { linkPreviews } = options;
  const originOf = (context: PageContext) => options.originOf(context.snapshot.tenant, context);
  const files = [...pageAssets].filter(([name]) => name !== WORKER);

  const show = (context: PageContext, shown: LoadedSnapshot): Answer | Promise<Answer> => {
    const query = parseQuery(context.query);
    const plain = query.has('lang') ? 'page' : 'root';
    const kind = query.get('screen') === '1' ? 'wall' : plain;
    const page = findPage(answers, shown, originOf(context), now(), kind);
    if (isLater(page)) return page.then((made) => selectAnswer(made, context));
    return selectAnswer(page, context);
  };

  const menu: Handle = (context) => {
    const { snapshot } = context;
    const wanted = chooseLocale(context);
    if (wanted === snapshot.locale) return show(context, snapshot);
    const found = store.find(snapshot.tenant.slug, wanted);
    if (isLater(found)) return found.then((other) => show(context, other ?? snapshot));
    return show(context, found ?? snapshot);
  };

  // As the API's own, but no limit counts it: guests on one Wi-Fi share one. Streams of an address
  // have a bound of their own.
  const stream: Handle = async (context) => {
    const { snapshot, client, headers, method } = context;
    const screen = await streamingScreen(options, context);
    const lastEventId = headers.get('last-event-id') ?? '';
    const open = await liveMenus.begin(snapshot.tenant, client, lastEventId, screen);
    return streamAnswer('text/event-stream', method === 'head' ? null : open);
  };

  return [
    read('/', menu),
    ...createScreenRoutes({ db, answers, store, screens, originOf, now }),
    read('/display/stream', stream),
    read('/sitemap.xml', (context) => sitemapAnswer(context.snapshot, originOf(context))),
    previewRoute({ db, mediaOrigin, now }),
    mediaRoute(media),
    read('/robots.txt', (context) => robotsAnswer(originOf(context))),
    read(MANIFEST_PATH, ({ snapshot }) => manifestAnswer(snapshot)),
    ...TOUCH_ICON_SIZES.map((size) =>
      read(`/display/:version/icon-${size}.png`, ({ snapshot, param }) =>
        touchIconAnswer(snapshot, size, param),
      ),
    ),
    read('/display/:version/preview.png', ({ snapshot, param }) =>
      linkPreviews.answer(snapshot, param),
    ),
    assetRoute('/display/:version/theme.css', ({ snapshot }) => themeSheet(snapshot)),
    ...files.map(([name, asset]) => assetRoute(`/display/:version/${name}`, () => asset)),
    ...[...fontAssets].map(([name, asset]) => assetRoute(`/display/:version/${name}`, () => asset)),
    // A service worker keeps its address for ever, and browsers ask for it anew.
    assetRoute(`/display/${WORKER}`, () => pageAssets.get(WORKER) as Asset),
  ];
}

/** Addresses of the menu's page in every language, for search engines. */
function sitemapAnswer({ tenant, generatedAt }: LoadedSnapshot, origin: string): Answer {
  const locales = tenant.supportedLocales;
  const link = (code: string, href: string) =>
    html`<xhtml:link rel="alternate" hreflang="${code}" href="${href}"/>\n`;
  const alternates = [
    locales.map((code) => link(code, pageAddress(origin, code))),
    link('x-default', `${origin}/`),
  ];
  const urls = locales.map(
    (code) => html`<url>
<loc>${pageAddress(origin, code)}</loc>
<lastmod>${generatedAt}</lastmod>
${alternates}</url>
`,
  );
  const text = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls}</urlset>
`.text;
  const type = { 'Content-Type': 'application/xml; charset=utf-8' };
  return createAnswer('200 OK', 'no-cache', type, Buffer.from(text));
}

/** Search engines may read the menu; the panel and the API are not for them. */
function robotsAnswer(origin: string): Answer {
  const text = `User-agent: *\nDisallow: /admin\nDisallow: /api/\nSitemap: ${origin}/sitemap.xml\n`;
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  return createAnswer('200 OK', 'no-cache', type, Buffer.from(text));
}
