// Menus in further languages, and a restaurant that falls back to another language than Italian.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { fallBackTo } from '../../support/fallback-language.ts';

const service = await adminService();

const LANGUAGES = ['it', 'ar', 'pl', 'zh-Hans'];

async function change(path: string, body: object) {
  return (await service.admin.call('PUT', path, body)).expect(200).json.data;
}

const menu = async (path: string) => (await service.client.get(path)).json;

test('with Italian as fallback a menu in further languages keeps every rule of the specification', async () => {
  await change('/settings', { supported_locales: LANGUAGES });
  const polish = { category_id: 1, name: { pl: 'Pierogi' } };
  (await service.admin.call('POST', '/items', polish)).refuses('name.it');
  const name = { it: 'Ravioli', pl: 'Pierogi', ar: 'رافيولي', 'zh-Hans': '意大利饺' };
  (await service.admin.call('POST', '/items', { category_id: 1, name })).expect(201);
  for (const [locale, text] of Object.entries(name)) {
    const { data, meta } = await menu(`/items?locale=${locale}&search=${encodeURIComponent(text)}`);
    assert.deepEqual([meta.locale, data[0]?.name], [locale, text]);
    assert.equal((await menu(`/menu/${locale}`)).meta.locale, locale);
  }
  for (const other of ['ja', 'xx', 'zh']) {
    assert.equal((await menu(`/menu/${other}`)).meta.locale, 'it', other);
  }
  const table = (await service.admin.get('/export?format=csv')).text;
  const [header = ''] = table.split('\n');
  assert.match(header, /name_es,name_pl,name_ar,name_zh-Hans,/);
  assert.doesNotMatch(header, /name_ja/);
});

test('names must exist in the fallback language, and other readers get it', async () => {
  await fallBackTo(service, 'ar', { default_locale: 'ar' });
  const italian = { category_id: 1, name: { it: 'Acqua' } };
  const refused = await service.admin.call('POST', '/items', italian);
  assert.deepEqual(refused.json.errors, { 'name.ar': ['Il campo name.ar è richiesto.'] });
  (await service.admin.call('POST', '/items', { category_id: 1 })).refuses('name', 'name.ar');
  (await service.admin.call('POST', '/items', { category_id: 1, name: { ar: 'ماء' } })).expect(201);
  const operations = [{ resource: 'items', action: 'create', data: italian }];
  (await service.admin.call('POST', '/bulk', { operations })).refuses('operations.0.name.ar');
  for (const path of ['/menu', '/menu/ja', '/menu/xx']) {
    const { meta, data } = await menu(path);
    assert.equal(meta.locale, 'ar', path);
    assert.ok(JSON.stringify(data.sections).includes('"name":"ماء"'));
  }
  const wrong = await service.admin.call('PUT', '/settings', { fallback_locale: 'tlh' });
  wrong.refuses('fallback_locale');
});

test('the page of a menu has the language and the direction of its reader', async () => {
  const page = async (language: string) => {
    const { text, headers } = await service.client.send('/', {
      headers: { 'Accept-Language': language },
    });
    const [, lang, dir] = /<html lang="([^"]*)" dir="([^"]*)"/.exec(text) ?? [];
    return [lang, dir, headers['content-language']];
  };
  assert.deepEqual(await page('ar-EG,ar;q=0.9'), ['ar', 'rtl', 'ar']);
  assert.deepEqual(await page('pl'), ['pl', 'ltr', 'pl']);
  assert.deepEqual(await page('zh-CN,zh;q=0.9'), ['zh-Hans', 'ltr', 'zh-Hans']);
  assert.deepEqual(await page('ko'), ['ar', 'rtl', 'ar'], 'the default of the restaurant');
  const { text } = await service.client.send('/?lang=zh-hans');
  assert.match(text, /<html lang="zh-Hans" dir="ltr"/);
  for (const code of LANGUAGES) assert.match(text, new RegExp(`hreflang="${code}"`));
});
