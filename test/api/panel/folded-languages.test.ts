// Forms of menus in many languages: short where nothing is translated yet, whole where something is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abroad, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';

const yamabuki = abroad.find(({ slug }) => slug === 'yamabuki') ?? trattoria;

const service = await panelService([trattoria, yamabuki]);

/** The names of the inputs of a text on a page: those in sight, and those that are folded. */
async function inputsOf(slug: string, path: string, field: string) {
  const visitor = await signedIn(service.gateway.client(slug));
  const { text } = await visitor.get(path, { 'Accept-Language': 'en' });
  const start = text.indexOf(`<fieldset class="field texts" id="f-${field}"`);
  const group = text.slice(start, text.indexOf('</fieldset>', start));
  const [seen = '', folded = ''] = group.split('<details');
  const namesIn = (html: string) =>
    Array.from(html.matchAll(/name="[a-z_]+\.([^"]+)"/g), ([, locale]) => locale);
  return [namesIn(seen), namesIn(folded)];
}

test('a new dish asks for a name in the language that it must have, and folds the others', async () => {
  const path = '/admin/menu/items/new';
  assert.deepEqual(await inputsOf('trattoria', path, 'name'), [['it'], []]);
  assert.deepEqual(await inputsOf('yamabuki', path, 'name'), [['ja'], []]);
  const others = [['it'], ['en', 'fr', 'de', 'es']];
  assert.deepEqual(await inputsOf('trattoria', path, 'description'), others);
  assert.deepEqual(await inputsOf('yamabuki', path, 'description'), [['ja'], ['en', 'zh-Hans']]);
});

test('a text that is there in some language stands in all of them', async () => {
  const path = '/admin/menu/items/1';
  const others = ['en', 'fr', 'de', 'es'];
  assert.deepEqual(await inputsOf('trattoria', path, 'description'), [['it', ...others], []]);
  assert.deepEqual(await inputsOf('trattoria', path, 'photo_alt'), [['it'], others]);
});

test('the other names of a dish stand below its price, section, photo and allergens, open where there are some', async () => {
  const visitor = await signedIn(service.gateway.client('trattoria'));
  const read = async (path: string) => (await visitor.get(path, { 'Accept-Language': 'en' })).text;
  const text = await read('/admin/menu/items/1');
  const names = ['name.it', 'price', 'category_id', 'photo_id.file', 'allergen.uova'];
  const order = [...names, 'name.en', 'name.fr', 'name.de', 'name.es', 'description.it'];
  const places = order.map((name) => text.indexOf(`name="${name}"`));
  assert.equal(places.includes(-1), false);
  const sorted = places.toSorted((a, b) => a - b);
  assert.deepEqual(places, sorted);
  const isOpen = (page: string) => {
    const start = page.lastIndexOf('<details', page.indexOf('name="name.en"'));
    return /^[^>]* open>/.test(page.slice(start));
  };
  assert.equal(isOpen(text), true);
  assert.equal(isOpen(await read('/admin/menu/items/new')), false);
});

test('the languages of a menu are in sight, and the many others folded', async () => {
  const visitor = await signedIn(service.gateway.client('yamabuki'));
  const { text } = await visitor.get('/admin/restaurant', { 'Accept-Language': 'en' });
  const start = text.indexOf('id="f-supported_locales"');
  const [seen = '', folded = ''] = text
    .slice(start, text.indexOf('</fieldset>', start))
    .split('<details');
  const valuesIn = (html: string) =>
    Array.from(html.matchAll(/name="supported_locales" value="([^"]+)"/g), ([, value]) => value);
  assert.deepEqual(valuesIn(seen), ['it', 'en', 'fr', 'de', 'es', 'zh-Hans', 'ja']);
  assert.ok(valuesIn(folded).length > 30);
});
