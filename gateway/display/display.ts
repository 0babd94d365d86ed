import { type Answer, createAnswer, streamAnswer } from '../http/answer.ts';
import type { Asset } from '../http/asset.ts';
import type { PageRequest } from '../http/exchange.ts';
import { html } from '../http/html.ts';
import { pageQuery, parseQuery } from '../http/query.ts';
import { selectAnswer } from '../http/representations.ts';
import type { LinkPreviews } from '../media/link-previews.ts';
import { type MediaCache, mediaRoute } from '../media/media.ts';
import { isLater } from '../pipeline/later.ts';
import type { HotPageRoute, HotRoute, PageContext, PageRoute } from '../pipeline/route.ts';
import type { MediaOrigin } from '../snapshots/addressed.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { LiveMenus } from '../stream/live-menus.ts';
import { fontAssets } from '../theme/own-fonts.ts';
import { TOUCH_ICON_SIZES } from '../theme/touch-icon.ts';
import { pageAssets } from './assets.ts';
import { chooseLocale } from './document.ts';
import { MANIFEST_PATH, manifestAnswer, pageAddress, touchIconAnswer } from './head.ts';
import { createPages, type PageKind, type PagesOptions, themeSheet } from './page.ts';
import { previewRoute } from './release-preview.ts';
import { createScreenRoutes, type ScreenOptions, streamingScreen } from './screen.ts';

const WORKER = 'worker.js';

export interface DisplayOptions extends Pick<ScreenOptions, 'db' | 'screens'>, PagesOptions {
  liveMenus: Pick<LiveMenus, 'begin'>;
  store: Pick<SnapshotStore, 'find'>;
  media: MediaCache;
  linkPreviews: LinkPreviews;
  mediaOrigin: MediaOrigin;
}

type Handle = PageRoute['call'];

const read = (path: string, call: Handle): PageRoute => ({
  kind: 'page',
  method: 'GET',
  path,
  call,
});

const readOften = (path: string, call: HotPageRoute['call']): HotPageRoute => ({
  kind: 'page',
  method: 'GET',
  isHot: true,
  path,
  call,
});

function assetRoute(path: string, find: (snapshot: LoadedSnapshot) => Asset): HotPageRoute {
  return readOften(path, (request, version, snapshot) =>
    selectAnswer(find(snapshot).read(version), request),
  );
}

const NO_PARAMETERS: ReturnType<typeof parseQuery> = new Map();

/** The parameters of a page's address: most have none. */
function readWishes(request: PageRequest) {
  const query = pageQuery(request);
  return query === '' ? NO_PARAMETERS : parseQuery(query);
}

/** The restaurant's menu as a page, `{tenant_url}/`, with its files and what search engines ask for. */
export function createDisplayRoutes(options: DisplayOptions): (PageRoute | HotRoute)[] {
  const { store, media, mediaOrigin, liveMenus, screens, db, now } = options;
  const { linkPreviews } = options;
  const pages = createPages(options);
  const originOf = (context: PageContext) => options.originOf(context.snapshot.tenant, context);
  const files = [...pageAssets].filter(([name]) => name !== WORKER);

  // `tsx` names each function that has a name: within the next one, that would cost a microsecond.
  const show = (shown: LoadedSnapshot, request: PageRequest, kind: PageKind) => {
    const page = pages(shown, request, kind);
    if (isLater(page)) return page.then((made) => selectAnswer(made, request));
    return selectAnswer(page, request);
  };

  const menu: HotPageRoute['call'] = (request, _, snapshot) => {
    const { tenant } = snapshot;
    const query = readWishes(request);
    const lang = query.get('lang');
    const plain = lang === undefined ? 'root' : 'page';
    const kind = query.get('screen') === '1' ? 'wall' : plain;
    const wanted = chooseLocale(lang, request, tenant);
    if (wanted === snapshot.locale) return show(snapshot, request, kind);
    const found = store.find(tenant.slug, wanted);
    if (isLater(found)) return found.then((other) => show(other ?? snapshot, request, kind));
    return show(found ?? snapshot, request, kind);
  };

  // As the API's own, but no limit counts it: guests on one Wi-Fi share one. Streams of an address
  // have a bound of their own.
  const stream: Handle = async (context) => {
    const { snapshot, client, headers, method } = context;
    const screen = await streamingScreen(options, context);
    const lastEventId = headers.get('last-event-id') ?? '';
    const open = await liveMenus.begin(snapshot.tenant, client, lastEventId, screen);
    return streamAnswer(method, open);
  };

  return [
    readOften('/', menu),
    ...createScreenRoutes({ db, pages, store, screens, originOf, now }),
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
    assetRoute('/display/:version/theme.css', themeSheet),
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
