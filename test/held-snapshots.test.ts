import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredSnapshot } from '../db/queries/find-snapshots.ts';
import type { StoredMenu } from '../db/queries/load-menu.ts';
import type { Locale } from '../db/records/locale.ts';
import { buildMenu } from '../db/snapshot/build.ts';
import { createHeldSnapshots } from '../gateway/snapshots/held-snapshots.ts';

const LOCALES: Locale[] = ['it', 'en', 'fr'];

/** What is stored of an empty menu whose restaurant speaks `own`. */
function storedIn(locale: Locale, version: number, own: Locale): StoredSnapshot {
  const settings = { id: 1, name: 'Osteria', slug: 'osteria', default_locale: own };
  const menu = {
    version,
    settings: { ...settings, supported_locales: LOCALES },
    theme: { id: 1 },
    ...{ sections: [], types: [], wineries: [], dishes: [] },
  } as unknown as StoredMenu;
  return {
    ...{ tenant_id: 1, slug: 'osteria', timezone: own === 'it' ? 'Europe/Rome' : 'Europe/London' },
    ...{ default_locale: own, supported_locales: LOCALES, head: buildMenu(menu, new Date()).head },
    ...{ templates: '', encoded: false, encodings: null, locale },
  };
}

test('a snapshot that was read before the languages changed does not set them back', () => {
  const held = createHeldSnapshots(1_000_000);
  held.keep(storedIn('it', 5, 'it'));
  held.keep(storedIn('en', 6, 'en'));
  // Its statement had seen version 5, and comes back last.
  held.keep(storedIn('fr', 5, 'it'));
  assert.equal(held.tenant('osteria')?.timezone, 'Europe/London');
  const answered = held.find('osteria', null);
  assert.equal(answered?.locale, 'en');
  assert.ok(answered?.served().resources.categories);
});

test('of one language the newer snapshot stays', () => {
  const held = createHeldSnapshots(1_000_000);
  const newer = held.keep(storedIn('it', 6, 'it'));
  assert.equal(held.keep(storedIn('it', 5, 'it')), newer);
  assert.equal(held.find('osteria', 'it')?.version, 6);
});
