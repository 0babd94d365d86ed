// The panel's pages of what is a house's own, and of what the chain decides.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { cloneHouse, follow, type House, masterHouse } from '../../support/chain.ts';
import { formOf, plainText } from '../../support/page-forms.ts';
import { addUser, pageText, signedIn } from '../../support/panel.ts';

const service = await adminService();
const master = await masterHouse(service);
const roma = await cloneHouse(service, master, 'roma');
const bari = await cloneHouse(service, master, 'bari');
for (const house of [roma, bari]) await follow(service, house, master, 'name');
await addUser(service.db, master.id);
await addUser(service.db, roma.id, 'remo@roma.example');

const clientOf = ({ slug }: House) => service.gateway.client(slug);
const owner = await signedIn(clientOf(master));
const branchOwner = await signedIn(clientOf(roma), 'remo@roma.example');

describe('own values', () => {
  test('are listed with both values, person and time, and are given back by either side', async () => {
    const [dish] = await roma.ask('GET', '/items');
    for (const [visitor, path] of [
      [owner, '/admin/chain/deviations?branch=roma'],
      [branchOwner, '/admin/chain'],
    ] as const) {
      await roma.ask('PUT', `/items/${dish.id}`, { price: 33.3 });
      const shown = await pageText(visitor, path);
      assert.match(shown, /33,30/);
      assert.match(shown, /Da test,/);
      const fields = { do: 'give-back', branch: 'roma', resource: 'items', field: 'price' };
      await visitor.post(path, { ...fields, id: String(dish.id) });
      assert.notEqual((await roma.ask('GET', `/items/${dish.id}`)).price, 33.3);
      assert.match(await pageText(visitor, path), /Nessun valore proprio/);
    }
  });

  test('of a house are given back all at once after a question, and stand in a table', async () => {
    const dishes = await roma.ask('GET', '/items');
    for (const { id } of dishes) await roma.ask('PUT', `/items/${id}`, { price: 44 });
    const path = '/admin/chain/deviations?branch=roma';
    (await owner.get(path.replace('?', '.csv?'))).shows(/roma,items,.*price,44/);
    const asked = await owner.submit(path, { do: 'ask-all' });
    const { name } = (await master.ask('GET', '/chain')).branches.find(
      ({ slug }: { slug: string }) => slug === 'roma',
    );
    const question = `${dishes.length} valori propri di ${name} tornano al valore della catena`;
    assert.ok(plainText(asked.text).includes(question), asked.text.slice(0, 2_000));
    const own = () => master.ask('GET', '/chain/deviations?branch=roma');
    assert.equal((await own()).length, dishes.length);
    await roma.ask('PUT', `/items/${dishes[0].id}`, { kcal: 1 });
    const fields = String(dishes.length);
    const again = await owner.post(path, { do: 'give-all', fields });
    assert.match(plainText(again.text), new RegExp(`${dishes.length + 1} valori propri di`));
    for (const unasked of ['', 'x']) {
      await owner.post(path, { do: 'give-all', fields: unasked });
      assert.equal((await own()).length, dishes.length + 1);
    }
    const more = { do: 'give-all', fields: String(dishes.length + 1) };
    const given = await owner.post(path, more);
    assert.match(plainText(given.text), /Ora vale il valore della catena/);
    assert.deepEqual(await own(), []);
  });

  test('of all houses are given back by one form, which counts fields and houses', async () => {
    for (const house of [roma, bari]) {
      const [dish] = await house.ask('GET', '/items');
      await house.ask('PUT', `/items/${dish.id}`, { price: 45, kcal: 2 });
    }
    const path = '/admin/chain/deviations';
    const asked = await owner.submit(path, { do: 'ask-all' });
    assert.match(plainText(asked.text), /4 valori propri di 2 locali tornano/);
    await owner.post(path, { do: 'give-all', fields: '4' });
    assert.deepEqual(await master.ask('GET', '/chain/deviations'), []);
  });

  test('of other restaurants are out of reach', async () => {
    await owner.get('/admin/chain/deviations');
    const fields = { do: 'give-back', branch: 'alone', resource: 'items', id: '1', field: 'price' };
    assert.equal((await owner.post('/admin/chain/deviations', fields)).status, 422);
  });
});

describe('fields that the chain decides', () => {
  before(async () => {
    const fields = { items: { name: 'locked' } };
    await master.ask('PUT', '/chain/policy', { fields });
  });

  test('stay as they are when a form of the branch is sent', async () => {
    const [{ id, name, allergens }] = await roma.ask('GET', '/items');
    const path = `/admin/menu/items/${id}`;
    // A browser sends nothing of them, and another program anything.
    for (const [kcal, typed] of [
      ['71', {}],
      ['72', { 'name.it': 'Altro', 'allergens.declared': '1', 'allergen.uova': 'contains' }],
    ] as const) {
      const { text: page } = await branchOwner.get(path);
      assert.match(page, /<fieldset class="of-chain" disabled aria-labelledby="f-name-chain">/);
      const form = formOf(page);
      assert.deepEqual(form.kept, ['name', 'allergens', 'allergen_detail', 'additives', 'origins']);
      const sent = Object.entries(form).filter(([key]) => !/^(name|allergen)/.test(key));
      const fields = { ...Object.fromEntries(sent), ...typed, kcal, do: 'save' };
      (await branchOwner.post(path, fields)).expect(303);
      const after = await roma.ask('GET', `/items/${id}`);
      const { own_fields } = after.chain;
      assert.deepEqual([after.name, after.allergens, after.kcal], [name, allergens, Number(kcal)]);
      assert.deepEqual(own_fields, ['kcal']);
    }
    await roma.ask('POST', `/items/${id}/follow`, {});
  });

  test('stay when the rest of a publication goes back on the page of the history', async () => {
    const [dish] = await master.ask('GET', '/items');
    await master.ask('PUT', `/items/${dish.id}`, { name: { it: 'Nuovo' }, kcal: 77 });
    await master.ask('POST', '/chain/publish', { branches: ['roma'] });
    const [{ version }] = await roma.ask('GET', '/versions?per_page=1');
    const path = `/admin/history/${version}`;
    await branchOwner.get(path);
    const refused = (await branchOwner.post(path, { do: 'undo', part: '0' })).expect(422);
    assert.match(plainText(refused.text), /Alcuni di questi campi li decide la catena/);
    (await branchOwner.post(path, { do: 'undo-rest', part: '0' })).expect(303);
    const own = await roma.dish('Nuovo');
    assert.deepEqual([own.kcal, own.chain.own_fields], [dish.kcal, ['kcal']]);
    await roma.ask('POST', `/items/${own.id}/follow`, {});
  });
});
