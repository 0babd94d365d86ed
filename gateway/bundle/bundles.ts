import { ensureBundleSecrets } from '../../db/actions/bundle-keys.ts';
import type { BundleForm } from '../../db/bundle/forms.ts';
import { packInSteps } from '../../db/bundle/pack.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { DAY } from '../../db/runtime/day.ts';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { memoizeAsync } from '../../db/runtime/memoize.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { isoSeconds } from '../../db/schema/validation/date-fields.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { buildInSteps } from '../../db/snapshot/build.ts';
import { headIn } from '../../db/snapshot/parts.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import type { Screen } from '../../db/sql/screens.ts';
import { buildCarriedScript } from '../display/assets.ts';
import { writeMenuPage } from '../display/document.ts';
import { themeSheet } from '../display/page.ts';
import { readMenu } from '../display/parts/menu-view.ts';
import { shownSettings } from '../display/screen.ts';
import { type Answer, createAnswer } from '../http/answer.ts';
import { NOT_CACHED } from '../http/cdn-caching.ts';
import { NotFoundError, unavailable } from '../http/errors.ts';
import {
  type LoadedSnapshot,
  loadSnapshot,
  type Restaurant,
  type Tenant,
} from '../snapshots/loaded-snapshot.ts';
import { filesOf } from './files.ts';
import { inlineInSteps } from './inline.ts';
import { lastingMenu } from './lasting-menu.ts';
import { choosePhotos, picturesIn, readPhotos, withChosenPhotos } from './photos.ts';

/** Room for the photos of a bundle, in bytes: with all else it has 5 MB. */
const MAX_BUNDLE_PHOTO_BYTES = 2_800_000;

/** Makes menus for screens without network. */
export type Bundles = ReturnType<typeof createBundles>;

interface BundlesOptions {
  db: Database;
  originOf: OriginOf;
  /** Milliseconds since 1970. */
  now: () => number;
}

const loadScript = memoizeAsync(buildCarriedScript);

/** The menu of a restaurant in all its languages, as guests see it at some moment of a span. */
async function loadLasting(tenant: Restaurant['tenant'], menu: StoredMenu, now: Date) {
  const built = await inSlices(buildInSteps(menu, now));
  const { locales, defaultLocale, fallbackLocale } = built.head;
  const own: Tenant = {
    ...{ hot: undefined, hotPath: '', hotEncoding: 'identity', hotRound: 0 },
    ...{ id: tenant.id, slug: tenant.slug, host: tenant.host, version: menu.version },
    ...{ defaultLocale, fallbackLocale, supportedLocales: locales, embedOrigins: '' },
    ...{ currency: menu.settings.currency, timezone: menu.settings.timezone },
    snapshots: new Map(),
    cdn: NOT_CACHED,
  };
  const sections = new Map([...built.sections].map(([id, { template }]) => [id, template]));
  const load = (locale: Locale): LoadedSnapshot =>
    loadSnapshot(own, headIn(built.head, locale), sections, () => undefined);
  return { own, load };
}

/** The languages of a screen; without any, the restaurant's. */
function languagesOf({ languages }: Screen, { supportedLocales, defaultLocale }: Tenant) {
  const own = supportedLocales.filter((locale) => languages.includes(locale));
  own.sort((one, other) => languages.indexOf(one) - languages.indexOf(other));
  return own.length > 0 ? own : [defaultLocale];
}

export function createBundles({ db, originOf, now }: BundlesOptions) {
  /** The documents of a screen by their languages, and the files that these name. */
  const draw = async (tenant: Restaurant['tenant'], screen: Screen, at: Date) => {
    const stored = await loadMenu(db, tenant.id);
    const end = new Date(at.getTime() + constants.bundleDays * DAY);
    const { menu, moments } = lastingMenu(stored, at, end);
    const { own, load } = await loadLasting(tenant, menu, at);
    const span = { made_at: isoSeconds(at.getTime()), expires_at: isoSeconds(end.getTime()) };
    const carried = { ...span, moments };
    const drawn = new Map<string, string>();
    const [first, ...others] = languagesOf(screen, own).map(load);
    const snapshots = first ? [first, ...others] : [];
    for (const snapshot of snapshots) {
      const view = await inSlices(readMenu(snapshot, at.getTime(), { isLasting: true }));
      const themeVersion = themeSheet(snapshot).version;
      const place = { origin: originOf(tenant), isWall: true, themeVersion, carried };
      const tag = entityTag('bundle', span.made_at, snapshot.locale);
      const text = await inSlices(writeMenuPage(view, place, tag));
      drawn.set(snapshot.locale, text);
    }
    const pictures = [...drawn.values()].flatMap((text) => [...picturesIn(text)]);
    const forms = pictures.map((one) => one.forms);
    const chosen = await choosePhotos(db, tenant.id, forms, MAX_BUNDLE_PHOTO_BYTES);
    const documents = new Map<string, string>();
    for (const [locale, text] of drawn) {
      const small = await inSlices(withChosenPhotos(text, chosen));
      documents.set(locale, small);
    }
    const files = first
      ? await inSlices(filesOf(first, documents.values()))
      : new Map<string, Uint8Array>();
    const photos = await readPhotos(db, tenant.id, chosen.values());
    for (const [path, content] of photos) files.set(path, content);
    return { documents, files, span, version: menu.version };
  };

  return {
    /** @throws NotFoundError when the restaurant is gone; UnavailableError */
    make: async (tenant: Restaurant['tenant'], screen: Screen, form: BundleForm) => {
      const away = unavailable('could not make a bundle');
      const drawn = await draw(tenant, screen, new Date(now())).catch((error: unknown) => {
        if (error instanceof NotFoundError) throw error;
        return away(error);
      });
      const { documents, files, span, version } = drawn;
      const name = `${tenant.slug}-${screen.id}`;
      if (form === 'html') {
        const settings = shownSettings({ ...screen, name_for: 0 });
        const script = await loadScript();
        const steps = inlineInSteps(documents, files, settings, script);
        const text = await inSlices(steps);
        return download(`${name}.html`, 'text/html; charset=utf-8', Buffer.from(text));
      }
      const packed = new Map<string, Uint8Array>();
      for (const [locale, text] of documents)
        packed.set(`screen/${locale}.html`, Buffer.from(text));
      for (const [path, content] of files) packed.set(path.slice(1), content);
      const about = { restaurant: tenant.slug, screen: screen.id, version, ...span };
      const secrets = await ensureBundleSecrets(db, tenant.id).catch(away);
      const bytes = await inSlices(packInSteps(about, packed, secrets));
      return download(`${name}.lavagna`, 'application/zip', bytes);
    },
  };
}

function download(name: string, type: string, bytes: Buffer): Answer {
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  return createAnswer('200 OK', 'no-store', headers, bytes);
}
