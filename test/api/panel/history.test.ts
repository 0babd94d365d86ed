// The panel's history: who changed what, and the ways back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logUserAction } from '../../../db/sql/users.ts';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import type { Response } from '../../support/http.ts';
import { hiddenField } from '../../support/page-forms.ts';
import { EMAIL, signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { picture } from '../../support/pictures.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { JPEG } from '../../support/too-large.ts';

const restaurant = restaurantOf('trattoria', [
  sectionOf('Primi', [dishOf('Gricia', { price: 10 }), dishOf('Ravioli', { price: 12 })]),
]);
const service = await panelService([restaurant]);
const visitor = await signedIn(service.client);
const admin = createAdminClient(service.client, await issueToken(service.db, service.tenantId));

/** Changes a dish by its form. */
const change = async (id: number, fields: Record<string, string>): Promise<Response> =>
  visitor.follow(await visitor.edit(`/admin/menu/items/${id}`, { do: 'save', ...fields }));
const reprice = (id: number, price: string) => change(id, { price });

/** Opens the entry that a message links to. */
async function openEntry(saved: Response): Promise<Response> {
  const [, link = ''] = /href="(\/admin\/history\?write=[^"]+)"/.exec(saved.text) ?? [];
  return visitor.follow(await visitor.get(link));
}

async function press(page: Response, button: string): Promise<Response> {
  const [, path = ''] = /action="(\/admin\/history\/\d+)"/.exec(page.text) ?? [];
  visitor.page = page;
  const fields = {
    form_id: hiddenField(page.text, 'form_id'),
    part: hiddenField(page.text, 'part'),
  };
  return visitor.post(path, { ...fields, do: button });
}

const priceOf = async (id: number) => (await service.client.get(`/items/${id}`)).json.data.price;

test('a save leads to its entry, which says who changed what and takes it back', async () => {
  const entry = await openEntry(await reprice(1, '11'));
  entry.shows(/<bdi>Gricia<\/bdi>/, /<del>10,00[^<]*<\/del>.*<ins>11,00/s, /nel pannello/);
  const undone = (await visitor.follow(await press(entry, 'undo'))).shows(/È tornato come prima/);
  assert.equal(await priceOf(1), 10);
  undone.shows(/ritorno a prima/);
});

test('dates and moments of an entry are written as in the language of the reader', async () => {
  const entry = await openEntry(await change(2, { visible_until: '2099-12-24T18:00' }));
  entry.shows(/<ins>24 dic 2099, 18:00/);
});

test('an entry says the fields of a record in the order of its form, and no number of another', async () => {
  const hours = [{ weekdays: null, time_start: '12:00', time_end: '15:00' }];
  const section = await admin.call('POST', '/categories', { name: { it: 'Pranzo' }, hours });
  const option = { label: 'Panna', price: 0, is_sold_out: true };
  const group = { name: { it: 'Aggiunte' }, min: 1, max: 2, options: [option] };
  assert.equal((await admin.call('POST', '/modifier-groups', group)).status, 201);
  const photo = await admin.call('POST', '/photos', await picture({ width: 64 }), JPEG);
  await admin.call('PUT', '/items/2', { photo_id: photo.json.data.id });
  const type = await admin.call('POST', '/types', { category_id: 1, name: { it: 'Ripiena' } });
  await admin.call('PUT', '/items/2', { type_id: type.json.data.id });
  await admin.call('DELETE', `/types/${type.json.data.id}`);
  const { text } = await visitor.get('/admin/history');
  const plain = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  assert.match(plain, /Foto prima: vuoto dopo: Foto \d/);
  assert.match(plain, /Sottocategoria prima: Ripiena dopo: vuoto/);
  assert.match(plain, /Scelte almeno 1 Scelte al massimo 2 Opzioni Panna Esaurita/);
  assert.match(plain, /Pranzo aggiunta Nome \(Italiano\) Pranzo .*Orari 12:00–15:00/);
  assert.doesNotMatch(plain, /#\d+\b|Posizione|Dalle|Consigliato no/);
  await admin.call('DELETE', `/categories/${section.json.data.id}`);
});

test('an undo names the field that somebody has changed since, and takes the others back', async () => {
  const first = await openEntry(await reprice(1, '13'));
  await reprice(1, '14');
  const refused = (await press(first, 'undo')).expect(409);
  refused.shows(/qualcuno ha cambiato un campo/, /Gricia, Prezzo.*: [^<]+, <time datetime="20/);
  await visitor.follow(await press(refused, 'undo-rest'));
  assert.equal(await priceOf(1), 14);
});

test('the menu of a moment is brought back after its difference was shown', async () => {
  const entry = await openEntry(await reprice(2, '20'));
  await reprice(2, '21');
  const path = '/admin/menu/items/1';
  await visitor.follow(await visitor.submit(path, { do: 'delete' }));
  assert.equal((await service.client.get('/items/1')).status, 404);
  const shown = (await press(entry, 'look')).expect(200);
  shown.shows(/Il menù com’era in questo momento/, /Gricia/);
  assert.equal(await priceOf(2), 21);
  (await visitor.follow(await press(shown, 'restore'))).shows(/Il menù è di nuovo com’era/);
  assert.equal(await priceOf(2), 20);
  assert.equal(await priceOf(1), 14);
});

test('entries are filtered by person, kind and dish, in every language', async () => {
  (await visitor.get('/admin/history')).expect(200).shows(/iole@trattoria\.example/);
  (await visitor.get('/admin/history?kind=deleted')).shows(/Gricia/).hides(/ritorno a prima/);
  (await visitor.get('/admin/history?record=items:2')).shows(/Ravioli/).hides(/<bdi>Gricia/);
  (await visitor.get('/admin/history?who=clock:')).shows(/Non c’è niente da mostrare/);
  (await visitor.get('/admin/history?name=RAVI')).shows(/<bdi>Ravioli/).hides(/<bdi>Gricia/);
  for (const query of [
    'name=%25&who=user:',
    'who=x:y&kind=z&record=a:b&before=-1',
    'write=x',
    `before=${'9'.repeat(30)}`,
  ]) {
    assert.equal((await visitor.get(`/admin/history?${query}`)).status, 200, query);
  }
  for (const language of ['en', 'fr', 'de', 'es']) {
    const page = await visitor.get('/admin/history', { 'Accept-Language': language });
    page.shows(new RegExp(`<html lang="${language}">`));
  }
  assert.equal((await visitor.get('/admin/history/999999')).status, 404);
  assert.equal((await visitor.get('/admin/history/x')).status, 404);
});

test('a dish is called as the reader calls it, and as it was called then', async () => {
  const english = { 'Accept-Language': 'en' };
  await openEntry(await change(2, { 'name.it': 'Ravioli', 'name.en': 'Stuffed pasta' }));
  await reprice(2, '22');
  (await visitor.get('/admin/history?record=items:2', english)).shows(/<bdi>Stuffed pasta<\/bdi>/);
  await openEntry(await change(2, { 'name.it': 'Agnolotti', 'name.en': 'Agnolotti' }));
  const after = await visitor.get('/admin/history?record=items:2', english);
  assert.match(after.text, /<bdi>Ravioli<\/bdi>/, 'older entries keep the name of then');
  after.shows(/<bdi>Agnolotti<\/bdi>/);
});

test('a photo is called by what it shows, else by its number in words', async () => {
  const { id } = (await admin.call('POST', '/photos', await picture({ seed: 5 }), JPEG)).json.data;
  await admin.call('PATCH', '/items/1', { photo_id: id });
  const path = '/admin/history?record=items:1';
  const plain = (await visitor.get(path)).shows(new RegExp(`Foto ${id}<`));
  (await visitor.get('/admin/history')).shows(new RegExp(`<bdi>Foto ${id}</bdi>`));
  plain.hides(/#\d+</);
  await admin.call('PATCH', `/photos/${id}`, { alt: { it: 'Gricia fumante' } });
  (await visitor.get(path)).shows(/Gricia fumante/);
  // A release says the same of what waits in it.
  const data = { photo_id: id };
  const operations = [{ resource: 'items', action: 'update', id: 2, data }];
  const release = await admin.call('POST', '/releases', { name: 'Foto', operations });
  (await visitor.get(`/admin/releases/${release.json.data.id}`)).shows(/Gricia fumante/);
});

test('actions on people stand in the history of those who may see people, between the changes', async () => {
  const actor = { kind: 'user', name: EMAIL } as const;
  const entry = { action: 'invited', subject: 'anna@example.com', detail: 'editor' } as const;
  await logUserAction(service.db, service.tenantId, actor, entry);
  await reprice(2, '23');
  const { text } = await visitor.get('/admin/history');
  const [price, person] = [text.indexOf('23,00'), text.indexOf('invita anna@example.com')];
  assert.ok(price > 0 && person > price, `${price}, ${person}`);
  assert.match(text, /<bdi>iole<\/bdi> <span class="mark">Persone/, 'no address');
  (await visitor.get('/admin/history?kind=changed')).hides(/anna@example\.com/);
  const [, who = ''] = /<option value="(user:\d+)"/.exec(text) ?? [];
  (await visitor.get(`/admin/history?who=${who}`)).shows(/anna@example\.com/);
  (await visitor.get('/admin/history?who=clock:')).hides(/anna@example\.com/);

  await service.sql(`update users set role = 'editor' where email = $1`, [EMAIL]);
  const page = (await visitor.get('/admin/history')).shows(/23,00/);
  assert.doesNotMatch(page.text, /anna@example\.com/, 'an editor sees no people');
});
