import { compressSoon } from '../../db/runtime/compress.ts';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { memoizeWeakly } from '../../db/runtime/memoize.ts';
import type { Door, OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { localTime, quarterOf } from '../analytics/local-time.ts';
import { PAGE_HEADERS } from '../http/answer.ts';
import { createShortAsset } from '../http/asset.ts';
import type { DerivedAnswers } from '../http/derived-answers.ts';
import { createForm, prepareRepresentations } from '../http/representations.ts';
import type { LoadedSnapshot, Tenant } from '../snapshots/loaded-snapshot.ts';
import { menuCss, readSettingsAndTheme } from '../theme/theme-css.ts';
import { pageVersion } from './assets.ts';
import { writeMenuPage } from './document.ts';
import { dishesOf, type MenuView, readMenu } from './parts/menu-view.ts';
import { houseDay } from './parts/sold-out.ts';
import { contentSecurityPolicy } from './policy.ts';

const VARY = ['Accept-Language', 'Cookie'];

/** The stylesheet of the restaurant's theme. */
export const themeSheet = memoizeWeakly((snapshot: LoadedSnapshot) => {
  const { theme, settings } = readSettingsAndTheme(snapshot);
  return createShortAsset('text/css', menuCss(theme, settings.supported_locales));
});

/** `root`: at the address without a language, whatever language the guest reads. */
export type PageKind = 'page' | 'root' | 'wall';

/** The restaurant's day where something on the page is sold out until a day; empty elsewhere. */
function soldOutDay({ tree, today }: MenuView): string {
  for (const dish of dishesOf(tree)) {
    const options = dish.modifier_groups.flatMap((group) => group.options);
    const parts = [dish, ...dish.variants, ...options];
    if (parts.some((part) => part.is_sold_out && part.sold_out_until)) return today;
  }
  return '';
}

async function makePage(snapshot: LoadedSnapshot, origin: string, now: number, kind: PageKind) {
  const isWall = kind === 'wall';
  const view = await inSlices(readMenu(snapshot, now));
  const { timezone, embedOrigins } = snapshot.tenant;
  const place = {
    origin,
    isWall,
    isRoot: kind === 'root',
    themeVersion: themeSheet(snapshot).version,
  };
  const policy = contentSecurityPolicy(view.theme, embedOrigins);
  const menu = snapshot.served().body('menu').etag;
  // Scripts ask at the address of the language, so that the page has one tag at both.
  const door = isWall ? 'wall' : 'page';
  const etag = entityTag(
    ...[
      menu,
      pageVersion,
      origin,
      timezone,
      embedOrigins,
      String(view.left),
      soldOutDay(view),
      door,
    ],
  );
  const text = await inSlices(writeMenuPage(view, place, etag));
  const identity = Buffer.from(text);
  const [gzip, br] = await Promise.all([
    compressSoon(identity, 'gzip'),
    compressSoon(identity, 'br'),
  ]);
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': view.locale,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...PAGE_HEADERS,
  };
  const form = createForm('no-cache', headers, VARY, isWall ? {} : snapshot.tenant.cdn.headers);
  return prepareRepresentations({ etag, identity, gzip, br }, form);
}

/** The name of a page among all answers, and for what it is good. */
interface PageName extends Door, Pick<Tenant, 'timezone' | 'embedOrigins'> {
  text: string;
  /** As `quarterOf` numbers it. */
  quarter: number;
}

/** The names that were asked for last: to put one together takes longer than the rest of a hot page. */
const names = new WeakMap<LoadedSnapshot, Partial<Record<PageKind, PageName>>>();

function nameOf(
  snapshot: LoadedSnapshot,
  { host, secure }: Door,
  now: number,
  kind: PageKind,
  originOf: OriginOf,
): string {
  const { key, head, tenant } = snapshot;
  const { timezone, embedOrigins } = tenant;
  const quarter = quarterOf(now);
  const own = names.get(snapshot) ?? {};
  const known = own[kind];
  const isSame =
    known?.quarter === quarter &&
    known.host === host &&
    known.secure === secure &&
    known.timezone === timezone &&
    known.embedOrigins === embedOrigins;
  if (isSame) return known.text;
  const { day } = localTime(timezone, now);
  const origin = originOf(tenant, { host, secure });
  const house = houseDay(new Date(now), timezone);
  const state = [head.version, head.generatedAt, timezone, origin, embedOrigins, day, house].join(
    '/',
  );
  const text = `${kind}/${key}/${state}`;
  own[kind] = { text, host, secure, quarter, timezone, embedOrigins };
  names.set(snapshot, own);
  return text;
}

export interface PagesOptions {
  answers: DerivedAnswers;
  originOf: OriginOf;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Finds the menu's page. It is made once for a version, a language, an origin and a day of the restaurant. */
export function createPages({ answers, originOf, now }: PagesOptions) {
  return (snapshot: LoadedSnapshot, door: Door, kind: PageKind) => {
    const time = now();
    const name = nameOf(snapshot, door, time, kind, originOf);
    return answers.prepare(name, () =>
      makePage(snapshot, originOf(snapshot.tenant, door), time, kind),
    );
  };
}

export type Pages = ReturnType<typeof createPages>;
