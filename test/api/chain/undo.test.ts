// A branch takes a publication back, its own change, and the taking back itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { follow, type House, masterHouse, openHouse, valuesOf } from '../../support/chain.ts';

const service = await adminService();
const master = await masterHouse(service);
const roma = await openHouse(service, 'roma');
const publish = async () => (await master.ask('POST', '/chain/publish', {}))[0];

const ownFields = async (name: string) => (await roma.dish(name)).chain.own_fields;
const behind = async () => (await master.ask('GET', '/chain')).branches[0].behind;

/** Takes the latest version of a house back. */
async function undo(house: House, options: object = {}) {
  const [{ version }] = await house.ask('GET', '/versions?per_page=1');
  return house.ask('POST', `/versions/${version}/undo`, options);
}

await follow(service, roma, master);
await publish();

describe('a publication that a branch takes back', () => {
  test('gives its former values back, which are its own from then on', async () => {
    const { price } = await master.dish('Olive');
    await master.change('Olive', { price: 7, kcal: 90 });
    await publish();
    await undo(roma);
    const dish = await roma.dish('Olive');
    assert.deepEqual([dish.price, dish.kcal], [price, null]);
    assert.deepEqual(dish.chain.own_fields, ['kcal', 'price']);
    const again = await publish();
    assert.equal(again.counts.updated, 0);
    const both = Object.fromEntries(
      valuesOf(again.shadowed).map(([name, ...rest]) => [name, rest]),
    );
    assert.deepEqual(both, { price: [price, 7], kcal: [null, 90] });
    assert.equal((await roma.dish('Olive')).price, price);
  });

  test('is followed again when that is taken back', async () => {
    await undo(roma);
    const dish = await roma.dish('Olive');
    assert.deepEqual([dish.price, dish.kcal, dish.chain.own_fields], [7, 90, []]);
    await master.change('Olive', { price: 7.5 });
    assert.deepEqual((await publish()).shadowed, []);
    assert.equal((await roma.dish('Olive')).price, 7.5);
  });

  test('takes records away that it has brought, and they stay away', async () => {
    const [section] = await master.ask('GET', '/categories');
    const made = { name: { it: 'Carbonara' }, price: 13, category_id: section.id };
    const { id: masterId } = await master.ask('POST', '/items', made, 201);
    await publish();
    const { id } = await roma.dish('Carbonara');
    await undo(roma);
    assert.equal((await roma.admin.get(`/items/${id}`)).status, 404);
    assert.deepEqual(valuesOf((await publish()).shadowed), [['deleted_at', true, null]]);
    assert.equal((await roma.admin.get(`/items/${id}`)).status, 404);
    await undo(roma);
    const back = await roma.ask('GET', `/items/${id}`);
    assert.deepEqual(back.chain, { master_id: masterId, own_fields: [] });
    assert.deepEqual((await publish()).shadowed, []);
  });

  test('brings records back that it has deleted, as the branch’s own', async () => {
    const { id: masterId } = await master.dish('Carbonara');
    const { id } = await roma.dish('Carbonara');
    await master.ask('DELETE', `/items/${masterId}`, undefined, 204);
    assert.equal((await publish()).counts.deleted, 1);
    await undo(roma);
    assert.equal((await roma.ask('GET', `/items/${id}`)).chain, null);
    assert.equal((await publish()).counts.deleted, 0);
    assert.equal((await roma.ask('GET', `/items/${id}`)).name, 'Carbonara');
  });

  test('keeps what the chain decides: the rest alone can go back', async () => {
    const { price } = await roma.dish('Gnocchi');
    await master.change('Gnocchi', { price: 18, allergens: ['latte', 'uova'] });
    await publish();
    const [{ version }] = await roma.ask('GET', '/versions?per_page=1');
    const path = `/versions/${version}/undo`;
    const refused = (await roma.admin.call('POST', path, {})).expect(422);
    assert.match(JSON.stringify(refused.json.codes), /"rule":"lockedByChain"/);
    const rest = await roma.admin.call('POST', path, { skip_conflicts: true });
    const dish = await roma.dish('Gnocchi');
    assert.deepEqual(rest.json.meta.ignored, [`items.${dish.id}.allergens`]);
    assert.deepEqual([dish.price, dish.allergens], [price, ['latte', 'uova']]);
    assert.deepEqual(dish.chain.own_fields, ['price']);
  });
});

describe('an own change that a branch takes back', () => {
  test('lets the field follow again, and leaves other own ones', async () => {
    await roma.change('Crostini', { kcal: 10 });
    await roma.change('Crostini', { kcal: 20, price: 99 });
    await undo(roma);
    const dish = await roma.dish('Crostini');
    assert.deepEqual([dish.kcal, dish.chain.own_fields], [10, ['kcal']]);
    await master.change('Crostini', { price: 6.5, kcal: 300 });
    assert.deepEqual(valuesOf((await publish()).shadowed.slice(-1)), [['kcal', 10, 300]]);
    assert.equal((await roma.dish('Crostini')).price, 6.5);
  });

  test('counts the branch behind where the master has published meanwhile', async () => {
    await roma.change('Olive', { price: 9 });
    const [{ version }] = await roma.ask('GET', '/versions?per_page=1');
    await master.change('Olive', { price: 8 });
    await publish();
    assert.equal(await behind(), 0);
    await roma.ask('POST', `/versions/${version}/undo`, {});
    const dish = await roma.dish('Olive');
    assert.deepEqual([dish.price, dish.chain.own_fields], [7.5, []]);
    assert.equal(await behind(), 1);
    await publish();
    assert.deepEqual([(await roma.dish('Olive')).price, await behind()], [8, 0]);
  });

  test('gives a field that went back to the master its own value again', async () => {
    await roma.change('Olive', { price: 4 });
    const { id } = await roma.dish('Olive');
    await roma.ask('POST', `/items/${id}/follow`, { fields: ['price'] });
    assert.deepEqual(await ownFields('Olive'), []);
    await undo(roma);
    assert.equal((await roma.dish('Olive')).price, 4);
    assert.deepEqual(await ownFields('Olive'), ['price']);
  });

  test('leaves a difference own that was there before the branch joined', async () => {
    const bari = await openHouse(service, 'bari');
    const [section] = await master.ask('GET', '/categories');
    const keys = { category_external_id: 'antipasti' };
    await master.ask('PUT', `/categories/${section.id}`, { external_id: 'antipasti' });
    const { id: masterId } = await master.dish('Olive');
    await master.ask('PUT', `/items/${masterId}`, { external_id: 'olive' });
    const starters = { name: { it: 'Antipasti' }, external_id: 'antipasti' };
    await bari.ask('POST', '/categories', starters, 201);
    const made = { name: { it: 'Olive' }, price: 1, external_id: 'olive', ...keys };
    const { id } = await bari.ask('POST', '/items', made, 201);
    await bari.ask('PUT', `/items/${id}`, { price: 2 });
    await follow(service, bari, master);
    await undo(bari);
    const dish = await bari.ask('GET', `/items/${id}`);
    assert.equal(dish.price, 1);
    assert.ok(dish.chain.own_fields.includes('price'));
  });
});

describe('the end of a branch’s release', () => {
  test('lets the fields follow again that it had set', async () => {
    const dish = await roma.dish('Crostini');
    const operation = { resource: 'items', action: 'update', id: dish.id, data: { vintage: 1999 } };
    const made = await roma.ask('POST', '/releases', { name: 'x', operations: [operation] }, 201);
    await roma.ask('POST', `/releases/${made.id}/publish`);
    assert.ok((await ownFields('Crostini')).includes('vintage'));
    await roma.ask('POST', `/releases/${made.id}/end`);
    const after = await roma.dish('Crostini');
    assert.equal(after.vintage, dish.vintage);
    assert.ok(!after.chain.own_fields.includes('vintage'));
  });
});
