import { defaultsOf, toStored } from '../../db/schema/record.ts';
import { records } from '../../db/schema/registry.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import type { Resource } from '../../db/schema/values/resource.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import type { StoredSnapshot } from '../../db/sql/snapshots.ts';
import { buildMenu } from './build-menu.ts';

/** The languages of the restaurant. */
export const LOCALES: Locale[] = ['it', 'en', 'fr'];

const blank = (resource: Resource) => toStored(records[resource], defaultsOf(records[resource]));

const lists = Object.values(records).filter(
  ({ isOnMenu, isSingleton }) => isOnMenu && !isSingleton,
);
const NO_RECORDS = Object.fromEntries(lists.map(({ table }) => [table, []]));

/** The stored form of an empty menu whose restaurant speaks `own`. */
export function storedIn(locale: Locale, version: number, own: Locale): StoredSnapshot {
  const settings = { id: 1, name: 'Osteria', slug: 'osteria', default_locale: own };
  const menu = {
    version,
    settings: { ...blank('settings'), ...settings, supported_locales: LOCALES },
    theme: { ...blank('theme'), id: 1 },
    ...NO_RECORDS,
  } as unknown as StoredMenu;
  return {
    ...{
      host: null,
      tenant_id: 1,
      slug: 'osteria',
      currency: 'EUR',
      timezone: own === 'it' ? 'Europe/Rome' : 'Europe/London',
    },
    ...{
      default_locale: own,
      fallback_locale: 'it' as const,
      supported_locales: LOCALES,
      head: buildMenu(menu, new Date()).head,
    },
    ...{ templates: [], cold: null, embed_origins: '', locale },
  };
}
