// A field that a branch changes is its own, until the branch gives it back to the master.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { follow, masterHouse, openHouse, valuesOf } from '../../support/chain.ts';

const service = await adminService();
const master = await masterHouse(service);
const roma = await openHouse(service, 'roma');
const publish = () => master.ask('POST', '/chain/publish', {});

/** The followed dish of the branch. */
const olive = () => roma.dish('Olive');
const ownFields = async () => (await olive()).chain.own_fields;

await follow(service, roma, master);
await publish();

describe('a change of a followed field', () => {
  test('makes it the branch’s own, and the answer says so', async () => {
    const { id } = await olive();
    const answer = await roma.admin.call('PUT', `/items/${id}`, { price: 6 });
    assert.deepEqual(answer.json.data.chain.own_fields, ['price']);
    // The tag of the answer names the record as it is.
    const tag = { 'If-Match': answer.headers.etag ?? '' };
    assert.equal((await roma.admin.call('PUT', `/items/${id}`, { kcal: 90 }, tag)).status, 200);
    assert.deepEqual(await ownFields(), ['kcal', 'price']);
  });

  test('hides the master’s value from then on, which is reported', async () => {
    await master.change('Olive', { price: 7, grapes: 'x' });
    const [done] = await publish();
    assert.deepEqual(valuesOf(done.shadowed), [
      ['price', 6, 7],
      ['kcal', 90, null],
    ]);
    const { price, grapes } = await olive();
    assert.deepEqual([price, grapes], [6, 'x']);
  });

  test('counts by every door: bulk, import, undo and release', async () => {
    const { id } = await olive();
    const operation = (data: object) => ({ resource: 'items', action: 'update', id, data });
    await roma.ask('POST', '/bulk', { operations: [operation({ labels: ['vegan'] })] });
    assert.ok((await ownFields()).includes('labels'));
    const document = await roma.ask('GET', '/export');
    const dish = document.items.find((one: { id: number }) => one.id === id);
    dish.code = '12';
    await roma.ask('PUT', '/import', document);
    assert.ok((await ownFields()).includes('code'));
    const release = { name: 'x', operations: [operation({ vintage: 1999 })] };
    const made = await roma.ask('POST', '/releases', release, 201);
    await roma.ask('POST', `/releases/${made.id}/publish`);
    assert.ok((await ownFields()).includes('vintage'));
    await roma.ask('PATCH', '/theme', { layout_variant: 'grid' });
    assert.deepEqual((await roma.ask('GET', '/theme')).chain.own_fields, ['layout_variant']);
  });

  test('is none when only what is sold out changes', async () => {
    await roma.change('Crostini', { sold_out_until: 'indefinitely' });
    await publish();
    const after = await roma.dish('Crostini');
    assert.deepEqual([after.chain.own_fields, after.is_sold_out], [[], true]);
  });

  test('is none that the publication itself makes', async () => {
    assert.deepEqual((await roma.dish('Gnocchi')).chain.own_fields, []);
  });

  test('keeps null, 0 and nothing apart', async () => {
    await roma.change('Gnocchi', { price: 0, kcal: 5 });
    await roma.change('Gnocchi', { kcal: null });
    await master.change('Gnocchi', { price: 20, kcal: 700, vintage: 2001 });
    await publish();
    const after = await roma.dish('Gnocchi');
    assert.deepEqual([after.price, after.kcal, after.vintage], [0, null, 2001]);
  });
});

describe('a record that the branch has deleted', () => {
  test('stays away, and comes back with all that follows', async () => {
    const dish = await roma.dish('Crostini');
    await roma.ask('DELETE', `/items/${dish.id}`, undefined, 204);
    const [done] = await publish();
    const gone = done.shadowed.find(({ id }: { id: number }) => id === dish.id);
    assert.equal(gone.field, 'deleted_at');
    assert.equal((await roma.admin.get(`/items/${dish.id}`)).status, 404);
    assert.deepEqual((await roma.ask('POST', `/items/${dish.id}/restore`)).chain.own_fields, []);
  });
});

describe('fields that are given back', () => {
  test('have the master’s values at once, and follow from then on', async () => {
    const { id } = await olive();
    const given = await roma.ask('POST', `/items/${id}/follow`, { fields: ['price', 'code'] });
    assert.deepEqual([given.price, given.code], [7, '']);
    assert.ok(!given.chain.own_fields.includes('price'));
    await master.change('Olive', { price: 8 });
    await publish();
    assert.equal((await olive()).price, 8);
    assert.equal((await roma.ask('GET', '/versions?per_page=2'))[1].origin, 'chain');
  });

  test('are all own ones where none is named', async () => {
    const { id } = await olive();
    const given = await roma.ask('POST', `/items/${id}/follow`, {});
    assert.deepEqual([given.chain.own_fields, given.labels, given.vintage], [[], [], null]);
    const theme = await roma.ask('POST', '/theme/follow', { fields: ['layout_variant'] });
    assert.deepEqual(theme.chain.own_fields, []);
  });

  test('are refused of a record that follows none, and where they are no followed ones', async () => {
    const { id } = await olive();
    await roma.ask('POST', `/items/${id}/follow`, { fields: ['sold_out_until'] }, 422);
    await roma.ask('POST', `/items/${id}/follow`, { fields: ['x'] }, 422);
    const own = await master.dish('Olive');
    await master.ask('POST', `/items/${own.id}/follow`, {}, 422);
    await roma.ask('POST', '/items/99999/follow', {}, 404);
  });
});

test('a branch with another currency has hidden new dishes without a price', async () => {
  const zurich = await openHouse(service, 'zurich');
  await zurich.ask('PUT', '/settings', { currency: 'CHF' });
  await follow(service, zurich, master);
  const [done] = await master.ask('POST', '/chain/publish', { branches: ['zurich'] });
  assert.deepEqual(done.refused, []);
  const dish = await zurich.dish('Gnocchi');
  assert.deepEqual([dish.price, dish.is_active], [0, false]);
  assert.ok(dish.chain.own_fields.includes('price'));
  await zurich.ask('PUT', `/items/${dish.id}`, { price: 31, is_active: true });
  await master.ask('POST', '/chain/publish', { branches: ['zurich'] });
  assert.equal((await zurich.dish('Gnocchi')).price, 31);
  const path = `/items/${dish.id}/follow`;
  const refused = await zurich.admin.call('POST', path, { fields: ['price'] });
  assert.deepEqual(refused.json.codes, { 'fields.0': [{ rule: 'otherCurrency' }] });
});
