import { compressLater } from '../../db/runtime/compress.ts';
import { constants } from '../../db/runtime/constants.ts';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { localTime } from '../analytics/local-time.ts';
import { PAGE_HEADERS } from '../http/answer.ts';
import { type Asset, createShortAsset } from '../http/asset.ts';
import type { DerivedAnswers } from '../http/derived-answers.ts';
import {
  createForm,
  prepareRepresentations,
  type Representations,
} from '../http/representations.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import { menuCss, readSettingsAndTheme } from '../theme/menu-css.ts';
import { pageVersion } from './assets.ts';
import { writeMenuPage } from './document.ts';
import { readMenu } from './parts/menu-view.ts';
import { contentSecurityPolicy } from './policy.ts';

const VARY = ['Accept-Language', 'Cookie'];

const themes = new WeakMap<LoadedSnapshot, Asset>();

/** The stylesheet of the restaurant's theme. */
export function themeSheet(snapshot: LoadedSnapshot): Asset {
  const known = themes.get(snapshot);
  if (known) return known;
  const { theme, settings } = readSettingsAndTheme(snapshot);
  const sheet = createShortAsset('text/css', menuCss(theme, settings.supported_locales));
  themes.set(snapshot, sheet);
  return sheet;
}

/** `root`: at the address without a language, whatever language the guest reads. */
type PageKind = 'page' | 'root' | 'wall';

async function makePage(
  snapshot: LoadedSnapshot,
  origin: string,
  now: number,
  kind: PageKind,
): Promise<Representations> {
  const isWall = kind === 'wall';
  const view = await inSlices(readMenu(snapshot, now), constants.renewalSlice);
  const { timezone, embedOrigins } = snapshot.tenant;
  const place = {
    origin,
    isWall,
    isRoot: kind === 'root',
    themeVersion: themeSheet(snapshot).version,
  };
  const policy = contentSecurityPolicy(view.theme, embedOrigins);
  const menu = snapshot.served().body('menu')?.etag ?? '';
  // Scripts ask at the address of the language, so that the page has one tag at both.
  const door = isWall ? 'wall' : 'page';
  const etag = entityTag(
    ...[menu, pageVersion, origin, timezone, embedOrigins, String(view.left), door],
  );
  const text = await inSlices(writeMenuPage(view, place, etag), constants.renewalSlice);
  const identity = Buffer.from(text);
  const [gzip, br] = await Promise.all([
    compressLater(identity, 'gzip'),
    compressLater(identity, 'br'),
  ]);
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': view.locale,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...PAGE_HEADERS,
  };
  const form = createForm('no-cache', headers, VARY);
  return prepareRepresentations({ etag, identity, gzip, br }, form);
}

/**
 * The menu's page, made once for a version, a language, an origin and a day of the restaurant.
 *
 * @param now in ms since 1970
 */
export function findPage(
  answers: DerivedAnswers,
  snapshot: LoadedSnapshot,
  origin: string,
  now: number,
  kind: PageKind,
): Representations | Promise<Representations> {
  const { key, head, tenant } = snapshot;
  const { timezone, embedOrigins } = tenant;
  const { day } = localTime(timezone, now);
  const state = [head.version, head.generatedAt, timezone, origin, embedOrigins, day].join('/');
  const name = `${kind}/${key}/${state}`;
  return answers.prepare(name, () => makePage(snapshot, origin, now, kind));
}
