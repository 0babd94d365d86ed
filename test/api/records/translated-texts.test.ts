// Texts that had one language and have five now: bodies may still send one plain text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishVersion } from '../../../db/menu/new-version.ts';
import { adminService } from '../../support/admin.ts';
import { plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';

const service = await adminService();
const section: number = (await service.client.get('/categories')).json.data[0].id;
/** Each text with the path of its record, its bound, and where guests read it. */
const texts: [field: string, path: string, max: number, column: string][] = [
  ['notes', `/categories/${section}`, 2_000, 'sections'],
  ['cover_charge_text', '/settings', 500, 'settings'],
  ['allergen_info', '/settings', 2_000, 'settings'],
  ['recommended_label', '/settings', 100, 'settings'],
  ['footer_text', '/theme', 2_000, 'themes'],
];

const LOCALES = ['it', 'en', 'fr', 'de', 'es'];
const change = (path: string, body: unknown) => service.admin.call('PATCH', path, body);

async function languages(default_locale: string): Promise<void> {
  (await change('/settings', { default_locale, supported_locales: LOCALES })).expect(200);
}
await languages('it');

/** The text in a language, and the map of all languages. */
async function read(field: string, path: string, locale: string) {
  const { settings, theme, sections } = (await service.client.get(`/menu/${locale}`)).json.data;
  const records: Record<string, Record<string, unknown>> = {
    '/settings': settings,
    '/theme': theme,
  };
  const record = records[path] ?? sections.find(({ id }: { id: number }) => id === section);
  return [record[field], record[`${field}_translations`]];
}

test('a plain text is stored in the default language', async () => {
  for (const [field, path] of texts) {
    const reply = (await change(path, { [field]: ' Ciao ' })).expect(200);
    assert.equal(reply.json.data[field], 'Ciao');
    assert.deepEqual(reply.json.data[`${field}_translations`], { it: 'Ciao' });
    for (const locale of LOCALES) {
      assert.deepEqual(await read(field, path, locale), ['Ciao', { it: 'Ciao' }]);
    }
  }
});

test('a plain text that equals the stored one keeps the translations; another one replaces them', async () => {
  for (const [field, path] of texts) {
    const map = { it: 'Ciao', en: 'Hello' };
    assert.equal((await change(path, { [field]: map })).status, 200);
    assert.equal((await change(path, { [field]: 'Ciao' })).status, 200);
    assert.deepEqual(await read(field, path, 'en'), ['Hello', map]);
    assert.equal((await change(path, { [field]: 'Salve' })).status, 200);
    assert.deepEqual(await read(field, path, 'en'), ['Salve', { it: 'Salve' }]);
  }
});

test('a map of PUT sets all languages; null, an empty text, map or list deletes them all', async () => {
  const put = (path: string, body: object) => service.admin.call('PUT', path, body);
  for (const [field, path] of texts) {
    const map = { it: 'Ciao', en: 'Hello', de: 'Hallo' };
    assert.equal((await put(path, { [field]: { es: '', ...map } })).status, 200);
    assert.deepEqual(await read(field, path, 'de'), ['Hallo', map]);
    assert.deepEqual(await read(field, path, 'es'), ['Ciao', map]);
    for (const none of [null, '', {}, []]) {
      await change(path, { [field]: 'x' });
      assert.equal((await put(path, { [field]: none })).status, 200);
      assert.deepEqual(await read(field, path, 'de'), ['', {}]);
    }
  }
});

test('a map of PATCH changes its languages alone; null, an empty text or list deletes all', async () => {
  for (const [field, path] of texts) {
    await change(path, { [field]: null });
    for (const part of [{ it: 'Ciao', de: 'Hallo' }, { en: 'Hello', de: null }, {}]) {
      assert.equal((await change(path, { [field]: part })).status, 200);
    }
    assert.deepEqual(await read(field, path, 'de'), ['Ciao', { it: 'Ciao', en: 'Hello' }]);
    for (const none of [null, '', []]) {
      await change(path, { [field]: 'x' });
      assert.equal((await change(path, { [field]: none })).status, 200);
      assert.deepEqual(await read(field, path, 'de'), ['', {}]);
    }
  }
});

test('an error names the language of the text that is wrong', async () => {
  for (const [field, path, max] of texts) {
    const name = field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ');
    const long = 'x'.repeat(max + 1);
    const wrong: [unknown, string, string][] = [
      [5, field, `${name} deve essere una stringa.`],
      [['a'], field, `${name} deve essere una stringa.`],
      [long, field, `${name} non può contenere più di ${max} caratteri.`],
      [{ de: long }, `${field}.de`, `${field}.de non può contenere più di ${max} caratteri.`],
      [{ it: 5 }, `${field}.it`, `${field}.it deve essere una stringa.`],
      [
        { it: 'a', xx: 'b' },
        `${field}.xx`,
        `${field}.xx selezionato non è valido. Valori ammessi: it, en, fr, de, es.`,
      ],
    ];
    for (const [value, at, text] of wrong) {
      const reply = (await change(path, { [field]: value })).expect(422);
      assert.deepEqual(reply.json.errors, { [at]: [text] });
    }
    assert.equal((await change(path, { [field]: 'è'.repeat(max) })).status, 200);
  }
});

test('a plain text stays in its language when the default language changes', async () => {
  await languages('de');
  for (const [field, path] of texts) await change(path, { [field]: 'Servus' });
  await languages('en');
  for (const [field, path] of texts) {
    assert.deepEqual(await read(field, path, 'de'), ['Servus', { de: 'Servus' }]);
  }
  // A body that also changes the default language: the plain text is in the new one.
  const both = { default_locale: 'fr', cover_charge_text: 'Couvert' };
  const reply = await change('/settings', both);
  assert.deepEqual(reply.json.data.cover_charge_text_translations, { fr: 'Couvert' });
  await languages('it');
});

test('a plain text that a former release stored is shown, and keeps its language too', async () => {
  const { db, tenantId } = service;
  const neighbourId = await plant(db, restaurantOf('vicina', [sectionOf('Antipasti')]));
  await languages('de');
  for (const [field, , , table] of texts) {
    await service.sql(`update ${table} set ${field} = 'Alt', ${field}_texts = '{}'`);
  }
  await db.transaction((tx) => publishVersion(tx, tenantId));
  for (const [field, path] of texts) {
    await until(`${field} is not shown`, async () => (await read(field, path, 'it'))[0] === 'Alt');
    assert.deepEqual(await read(field, path, 'it'), ['Alt', { de: 'Alt' }]);
    const { data } = (await service.admin.get(path)).json;
    assert.deepEqual([data[field], data[`${field}_translations`]], ['Alt', { de: 'Alt' }]);
  }
  // Another field of the record is changed, and then the default language.
  await change(`/categories/${section}`, { name: { it: 'Antipasti' } });
  await languages('es');
  for (const [field, path] of texts) {
    assert.deepEqual(await read(field, path, 'de'), ['Alt', { de: 'Alt' }]);
  }
  for (const [field, , , table] of texts) {
    const text = `select ${field} as text from ${table} where tenant_id = $1`;
    const rows = await service.sql(text, [neighbourId]);
    assert.deepEqual(rows, [{ text: 'Alt' }], 'another restaurant keeps its texts as they are');
  }
  // A new text replaces the old one.
  await change(`/categories/${section}`, { notes: 'Nuevo' });
  assert.deepEqual(await read('notes', `/categories/${section}`, 'de'), ['Nuevo', { es: 'Nuevo' }]);
});
