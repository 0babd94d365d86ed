// The panel while the worker is slow, and when the page may send no more writes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Response } from '../../support/http.ts';
import { type MenuService, startMenuService } from '../../support/menu-service.ts';
import { hiddenField } from '../../support/page-forms.ts';
import { addUser, signedIn, type Visitor } from '../../support/panel.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { runSql } from '../../support/sql.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const restaurant = restaurantOf('trattoria', [
  sectionOf('Primi', { dishes: [dishOf('Gricia', { price: 11 })] }),
]);

let service: MenuService;
let visitor: Visitor;
before(async () => {
  const constants = { writeTimeout: 500, writeSecuredAfter: 100, maxPanelWrites: 3 };
  service = await startMenuService([restaurant], {}, constants);
  await addUser(service.db, service.tenantId);
  visitor = await signedIn(service.client);
});
after(() => service.stop());

test('a change that waits is kept, said so, and visible once a worker comes', async () => {
  const [{ id }] = await runSql(service.databaseUrl, 'select id from dishes');
  const hide = async () => {
    await visitor.get('/admin/menu');
    const sent = await visitor.post('/admin/menu', { do: `hide:${id}` });
    return visitor.get(sent.headers.location ?? '');
  };
  const waiting = await hide();
  assert.match(waiting.text, /Salvato: sarà visibile fra un momento/);
  const undo = async (page: Response) => {
    const change = hiddenField(page.text, 'change');
    const sent = await visitor.post('/admin/menu/undo', { change });
    return visitor.get(sent.headers.location ?? '');
  };
  const early = await undo(waiting);
  assert.match(early.text, /Salvato: sarà visibile fra un momento/);
  const worker = await startTestWorker(service.databaseUrl);
  await until('the dish is still shown', async () => {
    return (await service.client.get('/items')).json.data.length === 0;
  });
  await undo(early);
  await until('the dish is still hidden', async () => {
    return (await service.client.get('/items')).json.data.length === 1;
  });
  await worker.stop();
});

test('a form that comes after too many others keeps what was typed', async () => {
  const [{ id }] = await runSql(service.databaseUrl, 'select id from dishes');
  const path = `/admin/menu/items/${id}`;
  const send = async (name: string) => {
    const page = await visitor.get(path);
    const [, etag = ''] = /name="etag" value="([^"]*)"/.exec(page.text) ?? [];
    const fields = { do: 'save', etag: etag.replaceAll('&quot;', '"'), base: '[]' };
    return visitor.post(path, { ...fields, 'name.it': name, price: '12', category_id: '1' });
  };
  assert.equal((await send('Gricia bianca')).status, 303);
  const refused = await send('Gricia della casa');
  assert.equal(refused.status, 429);
  assert.match(refused.text, /Troppe modifiche in un minuto: al massimo 3\..*fra \d+ s\./);
  assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
  assert.match(refused.text, /value="Gricia della casa"/);
  await visitor.get('/admin/menu?q=');
  const headers = { 'Accept-Language': 'fr' };
  const fields = { do: 'prices', [`price.${id}`]: '19', [`was.${id}`]: '11' };
  const list = await visitor.post('/admin/menu?q=', fields, headers);
  assert.equal(list.status, 429);
  assert.match(list.text, /Trop de modifications en une minute\u00A0: 3 au plus/);
  assert.match(list.text, /value="19"/);
});
