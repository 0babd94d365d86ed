// The panel's pages of a chain: what is kept and has no result yet, and people who may not see them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeUser } from '../../../db/actions/users.ts';
import { smallRestaurant } from '../../support/admin.ts';
import { cloneHouse, follow, type House, masterHouse } from '../../support/chain.ts';
import { menuService } from '../../support/menu-service.ts';
import { formOf, plainText } from '../../support/page-forms.ts';
import { addUser, EMAIL, signedIn } from '../../support/panel.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const constants = { writeTimeout: 500, writeSecuredAfter: 100 };
const service = await menuService([smallRestaurant], { constants });
const master = await masterHouse(service);
const roma = await cloneHouse(service, master, 'roma');
await follow(service, roma, master, 'name');
for (const house of [master, roma]) await addUser(service.db, house.id);

const signedInAt = ({ slug }: House, email = EMAIL) =>
  signedIn(service.gateway.client(slug), email);

/** Makes a price of a dish the house's own, with a worker that stops afterwards. */
async function setOwnPrice(id: number, price: number): Promise<void> {
  const worker = await startTestWorker(service.databaseUrl);
  await roma.admin.call('PUT', `/items/${id}`, { price });
  await until('the price is not set', async () => {
    return (await roma.ask('GET', `/items/${id}`)).price === price;
  });
  await worker.stop();
}

for (const [side, house, path] of [
  ['the master', master, '/admin/chain/deviations?branch=roma'],
  ['the house', roma, '/admin/chain'],
] as const) {
  test(`a field that ${side} gives back waits on a page, which tells the result`, async () => {
    const visitor = await signedInAt(house);
    const [dish, other] = await roma.ask('GET', '/items?per_page=2');
    for (const isRefused of [false, true]) {
      const { id } = isRefused ? other : dish;
      await setOwnPrice(id, 33.3);
      await visitor.get(path);
      const fields = { do: 'give-back', branch: 'roma', resource: 'items', field: 'price' };
      const late = (await visitor.post(path, { ...fields, id: String(id) })).expect(202);
      const look = () => visitor.post(path, formOf(visitor.page.text, 'late'));
      assert.equal((await look()).status, 202);
      const deleted = isRefused ? 'now()' : 'null';
      await service.sql(
        `update dishes set deleted_at = ${deleted} where tenant_id = ${roma.id} and id = ${id}`,
      );
      const worker = await startTestWorker(service.databaseUrl);
      let told = late;
      await until('there is no result', async () => {
        told = await look();
        return told.status !== 202;
      });
      await worker.stop();
      const { location } = told.headers;
      if (location) told = await visitor.get(location);
      const word = isRefused ? /Il valore è rimasto com’era|0 sono tornati/ : /Ora vale il valore/;
      assert.match(plainText(told.text), word);
      if (!isRefused) assert.notEqual((await roma.ask('GET', `/items/${id}`)).price, 33.3);
      await service.sql('update dishes set deleted_at = null');
    }
  });
}

test('people of the service neither read nor change anything on the pages of a chain', async () => {
  const email = 'sala@casa.example';
  const place = { database: service.db, actor: { kind: 'operator', name: null } as const };
  for (const [house, paths] of [
    [master, ['', '/policy', '/deviations', '/houses/roma', '/statistics', '/published']],
    [roma, ['']],
  ] as const) {
    const id = await addUser(service.db, house.id, email);
    await changeUser({ ...place, tenantId: house.id, slug: house.slug }, id, { role: 'service' });
    const person = await signedInAt(house, email);
    for (const path of paths) {
      assert.equal((await person.get(`/admin/chain${path}`)).status, 403, path);
    }
    await person.get('/admin/service');
    for (const [path, fields] of [
      ['', { do: 'publish', house: 'roma' }],
      ['/policy', { locked: [], bounded: '' }],
      ['/deviations', { do: 'give-all', branch: 'roma' }],
      ['/houses/roma', { percent: '5', rounding: 'none' }],
      ['/houses/roma/open', {}],
    ] as const) {
      const form_id = '00000000-0000-4000-8000-000000000002';
      const sent = await person.post(`/admin/chain${path}`, { ...fields, form_id } as never);
      assert.equal(sent.status, 403, path);
    }
  }
});
