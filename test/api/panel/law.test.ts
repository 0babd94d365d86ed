// The page of the law: links to the very field, many dishes filled at once, and the record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import { formOf, plainText } from '../../support/page-forms.ts';
import { signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';

const ids = new Map<string, number>();

const meat = dishOf('Brasato', { allergens: [] });
const cake = dishOf('Torta', { allergens: ['frutta_guscio', 'latte'] });
const sections = [sectionOf('Secondi', [meat, dishOf('Ossobuco', { allergens: null })])];
const service = await panelService([
  restaurantOf('trattoria', [...sections, sectionOf('Dolci', [cake])]),
]);
const admin = createAdminClient(service.client, await issueToken(service.db, service.tenantId));
for (const dish of (await admin.get('/items')).json.data) ids.set(dish.name, dish.id);
const visitor = await signedIn(service.client);

const page = async (path = '/admin/checklist') => (await visitor.get(path)).expect(200).text;
const item = async (name: string) => (await admin.get(`/items/${ids.get(name)}`)).json.data;

test('without a country the page asks for it, by a link to its field', async () => {
  assert.match(await page(), /href="\/admin\/restaurant\?field=country#f-country"/);
  const form = await page('/admin/restaurant?field=country');
  assert.match(form, /<input id="f-country"[^>]*list="country-names"[^>]*autofocus/);
  assert.match(form, /<option value="Svizzera">/);
});

test('a country is typed by its name', async () => {
  const form = formOf(await page('/admin/restaurant'));
  (await visitor.post('/admin/restaurant', { ...form, country: 'Svizzera' })).expect(303);
  assert.equal((await admin.get('/settings')).json.data.country, 'CH');
  const unknown = { ...formOf(await page('/admin/restaurant')), country: 'Atlantide' };
  const refused = (await visitor.post('/admin/restaurant', unknown)).expect(422);
  assert.match(plainText(refused.text), /Questo non è un paese che conosciamo/);
});

test('each missing field is a link to it, in the language of the page', async () => {
  const text = await page();
  const id = ids.get('Ossobuco');
  assert.match(text, new RegExp(`href="/admin/menu/items/${id}\\?field=allergens#f-allergens"`));
  assert.match(text, /Origine della carne/);
  assert.match(plainText(text), /manca a 3 voci/);
  assert.match(await page(`/admin/menu/items/${id}?field=origins`), /id="f-origins"/);
});

test('an origin is added to ticked dishes by one write, and a dish without meat is vegetarian', async () => {
  const path = '/admin/checklist/fill?rule=ch.origin_meat';
  const form = formOf(await page(path));
  const dish = [String(ids.get('Brasato')), String(ids.get('Ossobuco'))];
  const origin = { 'origins.0.kind': 'beef', 'origins.0.country': 'Italia' };
  (await visitor.post(path, { ...form, do: 'save' })).expect(422);
  const wrong = await visitor.post(path, { ...form, dish, ...origin, 'origins.0.country': 'X' });
  assert.equal(wrong.status, 422);
  assert.match(plainText(wrong.text), /Brasato: Questo non è un paese/);
  const before = (await admin.get('/versions')).json.data[0].version;
  (await visitor.post(path, { ...form, dish, ...origin, do: 'save' })).expect(303);
  for (const name of ['Brasato', 'Ossobuco']) {
    const [{ kind, country }] = (await item(name)).origins;
    assert.deepEqual([kind, country], ['beef', 'IT'], name);
  }
  assert.equal((await admin.get('/versions')).json.data[0].version, before + 1);
  const cake = { ...formOf(await page(path)), all: '1', do: 'vegetarian' };
  assert.equal((await visitor.post(path, cake)).status, 303);
  assert.deepEqual((await item('Torta')).labels, ['vegetarian']);
  assert.equal((await visitor.get(path)).status, 404, 'nothing is missing any more');
});

test('a fish asks for a fish, and is never marked as vegetarian', async () => {
  const path = '/admin/checklist/fill?rule=ch.origin_fish';
  const { category_id } = await item('Torta');
  const trout = { name: { it: 'Trota' }, price: 18, category_id, allergens: ['pesce'] };
  const { id } = (await admin.call('POST', '/items', trout)).json.data;
  const text = await page(path);
  assert.doesNotMatch(text, /value="vegetarian"/);
  assert.match(text, /<option value="fish" selected/);
  (await visitor.post(path, { ...formOf(text), all: '1', do: 'vegetarian' })).expect(422);
  await admin.call('DELETE', `/items/${id}`);
});

test('kinds of an allergen go to the dishes that have it', async () => {
  await admin.call('PATCH', '/settings', { country: 'IT' });
  const path = '/admin/checklist/fill?rule=eu.allergen_kinds';
  const form = { ...formOf(await page(path)), all: '1', allergen_detail: ['noci', 'grano'] };
  assert.equal((await visitor.post(path, form)).status, 303);
  assert.deepEqual((await item('Torta')).allergen_detail, ['noci']);
});

test('calories have a field a dish, and empty ones change nothing', async () => {
  await admin.call('PATCH', '/settings', { country: 'US', chain_size: 'us_20' });
  const path = '/admin/checklist/fill?rule=us.calories';
  const value = { [`value.${ids.get('Torta')}`]: '420' };
  assert.equal((await visitor.post(path, { ...formOf(await page(path)), ...value })).status, 303);
  assert.deepEqual([(await item('Torta')).kcal, (await item('Brasato')).kcal], [420, null]);
});

test('the record has every dish with all 14 allergens, as a page and as a table', async () => {
  const text = await page('/admin/checklist/record');
  assert.equal([...text.matchAll(/<th scope="row"/g)].length, 3);
  assert.equal([...text.matchAll(/<th scope="col"><span>/g)].length, 14);
  const { version } = (await admin.get('/versions')).json.data[0];
  assert.match(plainText(text), new RegExp(`Versione ${version} del menù`));
  assert.match(text, /<small>Noci<\/small>/);
  const csv = await visitor.get('/admin/checklist/record.csv');
  assert.match(csv.headers['content-disposition'] ?? '', new RegExp(`-v${version}\\.csv"`));
  const [header = '', ...rows] = csv.text.replace('\ufeff', '').trim().split('\n');
  assert.match(header, /^Sezione;Piatto;Cereali/);
  const cake = rows.find((row) => row.startsWith('Dolci;Torta'))?.split(';');
  assert.deepEqual([cake?.[8], cake?.[9], cake?.[16]], ['contenuto', 'contenuto', 'Noci']);
  const open = rows.find((row) => row.includes('Ossobuco'))?.split(';');
  assert.ok(open?.slice(2, 16).every((cell) => cell === 'non dichiarato'));
});
