// The addresses of a restaurant's host that lead nowhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { menuService } from '../../support/menu-service.ts';
import { restaurantOf } from '../../support/restaurant.ts';

const service = await menuService([restaurantOf('trattoria', [])]);

const EXPECTED = [
  ['/menu.php', 'de-AT,de', 'Diese Seite gibt es nicht.', 'href="/"'],
  ['/admin/nothing', 'fr', 'Cette page n’existe pas.', 'href="/admin"'],
  ['/a/b/c', 'ja', 'ページが見つかりません。', 'href="/"'],
  ['/a/b/c', 'ar-EG,ar', '<html lang="ar" dir="rtl">.', 'href="/"'],
  ['/a/b/c', 'tlh', 'Questa pagina non c’è.', 'href="/"'],
] as const;
const browser = { Accept: 'text/html,application/xhtml+xml' };
const send = (path: string, headers: Record<string, string>) =>
  service.client.send(path, { headers });

test('an unknown path is a page with ways on, in the language of the browser', async () => {
  for (const [path, language, title, way] of EXPECTED) {
    const { status, headers, text } = await send(path, { ...browser, 'Accept-Language': language });
    assert.equal(status, 404, path);
    assert.match(headers['content-type'] ?? '', /^text\/html/);
    assert.ok(text.includes(title.slice(0, -1)), path);
    assert.ok(text.includes(way), path);
  }
});

test('an unknown path is JSON for programs, and below the API for browsers, too', async () => {
  for (const [path, headers] of [
    ['/menu.php', {}],
    ['/admin/nothing', { Accept: 'application/json' }],
    ['/api/v1/nothing', browser],
  ] as [string, Record<string, string>][]) {
    assert.equal((await send(path, headers)).expect(404).json.success, false, path);
  }
});

test('the page of an unknown host speaks the language of the browser, and English', async () => {
  const page = async (language: string) => {
    const unknownHost = service.gateway.client('no-such-restaurant');
    return unknownHost.send('/', { headers: { 'Accept-Language': language } });
  };
  for (const [wish, locale, title] of [
    ['pl,en;q=0.5', 'pl', 'Tutaj nie ma menu'],
    ['ar', 'ar', 'لا توجد قائمة طعام هنا'],
    ['zh-CN', 'zh-Hans', '此处没有菜单'],
    ['tlh', 'it', 'Qui non c’è nessun menù'],
    ['en-GB', 'en', 'There is no menu here'],
  ] as const) {
    const { headers, text } = (await page(wish)).expect(404);
    assert.equal(headers['content-language'], locale);
    assert.match(headers.vary ?? '', /Accept-Language/);
    const dir = locale === 'ar' ? 'rtl' : 'ltr';
    assert.ok(text.includes(`<html lang="${locale}" dir="${dir}">`), wish);
    assert.ok(text.includes(`<h1>${title}</h1>`), wish);
    assert.ok(text.includes(locale === 'en' ? 'lang="it"' : '<section lang="en" dir="ltr">'));
  }
});

test('a path of a form alone, and a wrong link to a preview, show a browser the page', async () => {
  const browser = { headers: { Accept: 'text/html', 'Accept-Language': 'en' } };
  for (const [path, way] of [
    ['/admin/menu/undo', '/admin'],
    [`/preview/${'x'.repeat(43)}`, '/'],
  ] as const) {
    const { status, text } = await service.client.send(path, browser);
    assert.equal(status, 404, path);
    assert.ok(text.includes(`href="${way}"`), text);
  }
  assert.equal((await service.client.send('/admin/menu/undo')).status, 405);
});
