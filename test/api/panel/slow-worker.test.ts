// The panel while the worker is slow, and when the page may send no more writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Response } from '../../support/http.ts';
import { menuService, startMenuService } from '../../support/menu-service.ts';
import { formOf, hiddenField } from '../../support/page-forms.ts';
import { addUser, signedIn, type Visitor } from '../../support/panel.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const restaurant = restaurantOf('trattoria', [
  sectionOf('Primi', [dishOf('Gricia', { price: 11 })]),
]);

const constants = { writeTimeout: 500, writeSecuredAfter: 100 };
const service = await menuService([restaurant], { constants });
await addUser(service.db, service.tenantId);
const visitor = await signedIn(service.client);

/** Sends the form of the page that follows a late change. */
const look = (path: string) => visitor.post(path, formOf(visitor.page.text, 'late'));

/** The page's answer once a worker has looked at what was sent. */
async function whenDone(path: string, sent: Response): Promise<Response> {
  let done = sent;
  await until('it is not done', async () => {
    if (done.status === 202) done = await look(path);
    return done.status !== 202;
  });
  return done;
}

test('a change that waits is kept, said so, and told once a worker has done it', async () => {
  const [{ id }] = await service.sql('select id from dishes');
  const sent = await visitor.submit('/admin/menu', { do: `hide:${id}` });
  for (const page of [sent, await look('/admin/menu')]) {
    assert.equal(page.status, 202, page.text);
    page.shows(/<h1[^>]*>Conservato, non ancora fatto<\/h1>/).hides(/class="notice good"/);
  }
  const worker = await startTestWorker(service.databaseUrl);
  const told = await visitor.follow(await whenDone('/admin/menu', sent));
  told.shows(/Fatto: la modifica è salvata\./);
  assert.equal((await service.client.get('/items')).json.data.length, 0);
  const change = hiddenField(told.text, 'change');
  const undo = '/admin/menu/undo';
  (await whenDone(undo, await visitor.post(undo, { change }))).expect(303);
  await until('the dish is still hidden', async () => {
    return (await service.client.get('/items')).json.data.length === 1;
  });
  await worker.stop();
});

test('a change that waits and is refused says why, with all that was typed', async () => {
  const [{ id }] = await service.sql('select id from dishes');
  const path = `/admin/menu/items/${id}`;
  const other = await signedIn(service.client);
  await visitor.get(path);
  await other.get(path);
  const edit = ({ page }: Visitor) => ({ ...formOf(page.text), do: 'save' });
  (await other.post(path, { ...edit(other), price: '13' })).expect(202);
  const typed = { 'name.it': 'Gricia di nonna', price: '14' };
  const late = (await visitor.post(path, { ...edit(visitor), ...typed })).expect(202);
  const worker = await startTestWorker(service.databaseUrl);
  const refused = await whenDone(path, late);
  refused.expect(409).shows(/value="Gricia di nonna"/, /value="14"/);
  await worker.stop();
});

test('a form that comes after too many others keeps what was typed', async (t) => {
  const service = await startMenuService([restaurant], {
    constants: { writeTimeout: 500, maxPanelWrites: 1 },
  });
  t.after(() => service.stop());
  await addUser(service.db, service.tenantId);
  const visitor = await signedIn(service.client);
  const [{ id }] = await service.sql('select id from dishes');
  const path = `/admin/menu/items/${id}`;
  const send = async (name: string) => {
    const page = await visitor.get(path);
    const fields = { do: 'save', etag: hiddenField(page.text, 'etag'), base: '[]' };
    return visitor.post(path, { ...fields, 'name.it': name, price: '12', category_id: '1' });
  };
  assert.equal((await send('Gricia bianca')).status, 202);
  const refused = (await send('Gricia della casa')).expect(429);
  refused.shows(/Troppe modifiche in un minuto: al massimo 1\..*fra \d+ s\./);
  assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
  refused.shows(/value="Gricia della casa"/);
  await visitor.get('/admin/menu?q=');
  const headers = { 'Accept-Language': 'fr' };
  const fields = { do: 'prices', [`price.${id}`]: '19', [`was.${id}`]: '11' };
  const list = (await visitor.post('/admin/menu?q=', fields, headers)).expect(429);
  list.shows(/Trop de modifications en une minute\u00A0: 1 au plus/, /value="19"/);
});
