// The policy of a chain: fields that branches may not change, bounds of their prices, and price lists.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pricesOf } from '../../../db/schema/chain-policy.ts';
import { adminService } from '../../support/admin.ts';
import { follow, type House, masterHouse, openHouse } from '../../support/chain.ts';
import { each } from '../../support/each.ts';

const service = await adminService();
const master = await masterHouse(service);
const roma = await openHouse(service, 'roma');
const bari = await openHouse(service, 'bari');
const publish = () => master.ask('POST', '/chain/publish', {});

for (const house of [roma, bari]) await follow(service, house, master);
await publish();

/** The codes of a change that is refused. */
async function refusal(house: House, path: string, body: object) {
  return (await house.admin.call('PUT', path, body)).expect(422).json.codes;
}

describe('a locked field', () => {
  test('is refused by name, in single writes and in bulk: allergens are locked by default', async () => {
    const { id } = await roma.dish('Gnocchi');
    const locked = [{ rule: 'lockedByChain' }];
    assert.deepEqual(await refusal(roma, `/items/${id}`, { allergens: [] }), { allergens: locked });
    const operations = [
      { resource: 'items', action: 'update', id, data: { traces: ['uova'] } },
      { resource: 'items', action: 'update', id, data: { grapes: 'x' } },
    ];
    const bulk = await roma.admin.call('POST', '/bulk', { operations });
    assert.deepEqual(bulk.json.codes, { 'operations.0.traces': locked });
    const skipped = await roma.ask('POST', '/bulk', { operations, on_error: 'skip_failed' });
    assert.deepEqual([skipped.counts.failed, skipped.counts.updated], [1, 1]);
    assert.deepEqual((await roma.dish('Gnocchi')).allergens, ['latte']);
    await roma.ask('PUT', `/items/${id}`, { allergens: ['latte'], sold_out_until: 'indefinitely' });
  });

  test('follows the master, whose declaration reaches each branch', async () => {
    await master.change('Gnocchi', { allergens: ['latte', 'uova'] });
    await publish();
    for (const house of [roma, bari]) {
      assert.deepEqual((await house.dish('Gnocchi')).allergens, ['latte', 'uova']);
    }
    const [latest] = await roma.ask('GET', '/versions');
    const undone = await roma.admin.call('POST', `/versions/${latest.version}/undo`, {});
    assert.equal(undone.status, 422);
    assert.match(JSON.stringify(undone.json.codes), /lockedByChain/);
  });

  test('is one of a branch’s own dish in no way', async () => {
    const [section] = await roma.ask('GET', '/categories');
    const made = { name: { it: 'Nostra' }, price: 1, category_id: section.id, allergens: ['uova'] };
    const { id } = await roma.ask('POST', '/items', made, 201);
    await roma.ask('PUT', `/items/${id}`, { allergens: [] });
  });

  test('can be freed and set by the master alone, for fields that follow', async () => {
    const fields = { items: { allergens: 'free', name: 'locked' }, theme: { dark_mode: 'locked' } };
    const set = await master.ask('PUT', '/chain/policy', { fields });
    assert.deepEqual(set.fields.items, { ...set.fields.items, ...fields.items, traces: 'locked' });
    assert.deepEqual(await roma.ask('GET', '/chain/policy'), set);
    await roma.change('Gnocchi', { allergens: ['latte'] });
    const { id } = await roma.dish('Gnocchi');
    const renamed = await refusal(roma, `/items/${id}`, { name: { it: 'Nostri' } });
    assert.deepEqual(renamed, { name: [{ rule: 'lockedByChain' }] });
    await refusal(roma, '/theme', { dark_mode: true });
    for (const wrong of [
      { items: { is_active: 'locked' } },
      { items: { display_order: 'locked' } },
      { items: { sold_out_until: 'locked' } },
      { items: { name: { bounded: 10 } } },
      { items: { price: { bounded: 'ten' } } },
      { settings: { address: 'locked' } },
      { dishes: { name: 'locked' } },
    ]) {
      const refused = await master.admin.call('PUT', '/chain/policy', { fields: wrong });
      assert.equal(refused.status, 422, JSON.stringify(wrong));
    }
  });
});

describe('a bounded price', () => {
  test('is as near to the master’s as the policy says, sizes among them', async () => {
    const items = { price: { bounded: 10 }, variants: { bounded: 10 } };
    await master.ask('PUT', '/chain/policy', { fields: { items } });
    await master.change('Olive', { price: 10 });
    await publish();
    const { id } = await roma.dish('Olive');
    const bounded = [{ rule: 'boundedByChain', min: 9, max: 11 }];
    for (const price of [8.99, 11.01, 0]) {
      assert.deepEqual(await refusal(roma, `/items/${id}`, { price }), { price: bounded });
    }
    for (const price of [9, 11]) await roma.ask('PUT', `/items/${id}`, { price });
    const sizes = [
      { label: { it: 'Mezza' }, price: 10 },
      { label: { it: 'Intera' }, price: 20 },
    ];
    await master.change('Gnocchi', { variants: sizes });
    await publish();
    const theirs = await roma.dish('Gnocchi');
    const path = `/items/${theirs.id}`;
    const dear = sizes.map((size) => ({ ...size, price: size.price * 1.2 }));
    const answer = await roma.admin.call('PUT', path, { variants: dear });
    answer.refuses('price', 'variants.0.price', 'variants.1.price');
    const near = sizes.map((size) => ({ ...size, price: size.price * 1.1 }));
    await roma.ask('PUT', path, { variants: near });
  });
});

describe('a price list', () => {
  test('is computed at publication, rounded and stored as a price', async () => {
    const lists = [
      { branch: 'bari', percent: 7, rounding: '.90' },
      { branch: 'roma', percent: -10, rounding: '0.10' },
    ];
    const set = await master.ask('PUT', '/chain/policy', { fields: {}, price_lists: lists });
    assert.deepEqual(set.price_lists, lists);
    assert.deepEqual((await roma.ask('GET', '/chain/policy')).price_lists, [lists[1]]);
    const behind = (await master.ask('GET', '/chain')).branches;
    assert.ok(behind.every((one: { behind: number }) => one.behind > 0));
    await publish();
    assert.equal((await bari.dish('Olive')).price, 10.9);
    assert.equal((await bari.dish('Gnocchi')).price, 10.9);
    // Its own value stays, and what is given back is the list's.
    const { id, price } = await roma.dish('Olive');
    assert.equal(price, 11);
    assert.equal((await roma.ask('POST', `/items/${id}/follow`, { fields: ['price'] })).price, 9);
    const wrong = { price_lists: [{ branch: 'nessuna', percent: 1 }] };
    assert.equal((await master.admin.call('PUT', '/chain/policy', wrong)).status, 422);
  });

  test('keeps a price of 0, makes none of another, and knows the coins of a currency', () => {
    const list = (percent: number, rounding: '.90' | '0.05' | '0.10' | '1.00' | 'none') =>
      pricesOf({ percent, rounding }, 'EUR');
    assert.deepEqual([0, 0.2, 9, 12.5].map(list(10, '.90')), [0, 0.22, 9.9, 13.9]);
    assert.deepEqual([0, 0.02, 9.99, 12.5].map(list(0, '0.05')), [0, 0.02, 10, 12.5]);
    assert.deepEqual([1.15, 2.25].map(list(0, '0.10')), [1.2, 2.3]);
    assert.deepEqual([10.1].map(list(3.3, 'none')), [10.43]);
    assert.deepEqual([1_250].map(pricesOf({ percent: 3.3, rounding: 'none' }, 'JPY')), [1_291]);
  });
});

describe('the deviations', () => {
  test('name branch, field, both values, the author and the time, as JSON and CSV', async () => {
    const { id } = await bari.dish('Crostini');
    await bari.ask('PUT', `/items/${id}`, { price: 8, description: { it: '=1+1' } });
    const listed = await master.ask('GET', '/chain/deviations?branch=bari');
    const own = listed.filter((one: { id: number; resource: string }) => one.id === id);
    assert.deepEqual(
      own.map(({ branch, name, field, master, own, by }: Record<string, unknown>) => [
        ...[branch, name, field, master, own, by],
      ]),
      [
        ['bari', 'Crostini', 'description', {}, { it: '=1+1' }, 'test'],
        ['bari', 'Crostini', 'price', 6.9, 8, 'test'],
      ],
    );
    assert.ok(Math.abs(Date.parse(own[0].at) - Date.now()) < 60_000);
    const csv = await master.admin.get('/chain/deviations?format=csv');
    assert.match(csv.headers['content-type'] ?? '', /text\/csv/);
    const lines = csv.text.trim().split('\n');
    assert.match(lines[0] ?? '', /branch,resource,id,name,field,own,master,by,at/);
    const shown = (await master.ask('GET', '/chain')).branches;
    const counts: number[] = each(shown, 'deviations');
    const total = counts.reduce((sum, one) => sum + one);
    assert.equal(lines.length - 1, total);
  });
});
