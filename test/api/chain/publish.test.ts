// A chain: branches take the menu of their master, but for what is their own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followMaster, leaveMaster } from '../../../db/actions/chains.ts';
import { adminService } from '../../support/admin.ts';
import { cloneHouse, follow, masterHouse, openHouse, valuesOf } from '../../support/chain.ts';
import { until } from '../../support/until.ts';

const service = await adminService();
const master = await masterHouse(service);
const roma = await openHouse(service, 'roma');
const publish = (body: object = {}) => master.ask('POST', '/chain/publish', body);

/** The names of what guests of a house read, by sections. */
async function menuOf(slug: string) {
  const { data } = (await service.gateway.client(slug).get('/menu')).json;
  return data.sections.map((one: { name: string; items: { name: string; price: number }[] }) => [
    one.name,
    ...one.items.map(({ name, price }) => `${name} ${price}`),
  ]);
}

describe('an empty branch', () => {
  test('takes the whole menu by one publication, as one version of origin chain', async () => {
    const report = await follow(service, roma, master);
    assert.deepEqual([report.matched, report.own_records], [2, 0]);
    assert.deepEqual((await master.ask('GET', '/chain')).role, 'master');
    const [tried] = await publish({ dry_run: true });
    assert.equal(tried.dry_run, true);
    assert.deepEqual(await menuOf('roma'), []);
    const [done] = await publish();
    assert.deepEqual([done.slug, done.state, done.refused], ['roma', 'done', []]);
    assert.deepEqual(done.counts, tried.counts);
    assert.deepEqual(await menuOf('roma'), await menuOf('osteria'));
    const [{ origin, actor }] = await roma.ask('GET', '/versions');
    assert.deepEqual([origin, actor], ['chain', { kind: 'token', id: null, name: 'test' }]);
  });

  test('makes no version when its content is equal', async () => {
    const before = await roma.ask('GET', '/versions');
    const [again] = await publish();
    assert.deepEqual([again.counts.updated, again.counts.created], [0, 0]);
    assert.deepEqual(await roma.ask('GET', '/versions'), before);
    assert.equal((await master.ask('GET', '/chain')).branches[0].behind, 0);
  });
});

describe('a publication', () => {
  test('brings new, changed, moved and deleted records', async () => {
    const [first, second] = await master.ask('GET', '/categories');
    const suppli = await master.dish('Supplì');
    await master.change('Olive', { price: 5, description: { it: 'Verdi' } });
    await master.change('Gnocchi', { category_id: first.id });
    const made = { name: { it: 'Carbonara' }, price: 13, category_id: second.id };
    await master.ask('POST', '/items', made, 201);
    await master.ask('DELETE', `/items/${suppli.id}`, undefined, 204);
    const [done] = await publish();
    assert.deepEqual(done.counts, { ...done.counts, created: 1, deleted: 1, failed: 0 });
    assert.deepEqual(await menuOf('roma'), await menuOf('osteria'));
    assert.equal((await roma.dish('Olive')).description, 'Verdi');
  });

  test('leaves own records of the branch alone, and the section in which they stand', async () => {
    const sections = await roma.ask('GET', '/categories');
    const fritti = sections.find(({ name }: { name: string }) => name === 'Fritti');
    const own = { name: { it: 'Baccalà' }, price: 9, category_id: fritti.id };
    const { id } = await roma.ask('POST', '/items', own, 201);
    assert.equal((await roma.ask('GET', `/items/${id}`)).chain, null);
    await master.ask('DELETE', `/categories/${fritti.chain.master_id}`, undefined, 204);
    const [done] = await publish();
    const [gone, ...others] = done.shadowed;
    assert.deepEqual([gone.id, gone.field, others], [fritti.id, 'deleted_at', []]);
    assert.equal((await roma.ask('GET', `/items/${id}`)).name, 'Baccalà');
    assert.equal((await roma.ask('GET', `/categories/${fritti.id}`)).chain, null);
  });

  test('goes to the branches that it names, and to no others', async () => {
    assert.equal(await master.ask('POST', '/chain/publish', { branches: ['x'] }, 422), undefined);
    assert.deepEqual(await publish({ branches: [] }), []);
  });

  test('is brought by a release at its time', async () => {
    await master.change('Olive', { price: 5.5 });
    const [planned] = await publish({ starts_at: '2198-12-24T18:00:00Z' });
    assert.equal(planned.state, 'scheduled');
    await service.sql(
      // A worker that changes releases has locked their restaurant, too.
      `update releases r set starts_at = now() from (select id from tenants for update) t
       where r.tenant_id = t.id and r.state = 'scheduled'`,
    );
    await until('the branch has it', async () => (await roma.dish('Olive')).price === 5.5);
    const [{ origin, actor }] = await roma.ask('GET', '/versions');
    assert.deepEqual([origin, actor], ['chain', { kind: 'clock', id: null, name: 'test' }]);
  });

  test('is told later to a client that did not wait', async () => {
    const [last] = await master.ask('GET', '/chain/publish');
    assert.deepEqual([last.slug, last.state], ['roma', 'done']);
  });

  test('is the same one when the same key comes again', async () => {
    const key = { 'Idempotency-Key': 'a-key' };
    const asked = () => master.admin.call('POST', '/chain/publish', {}, key);
    const [first, second] = [await asked(), await asked()];
    assert.deepEqual(first.json.data, second.json.data);
  });
});

describe('a place in a chain', () => {
  test('is refused to a branch of a branch, and to a restaurant with branches', async () => {
    const bari = await openHouse(service, 'bari');
    const input = { match: 'external_id', dry_run: false } as const;
    for (const [slug, of] of [
      ['bari', 'roma'],
      ['osteria', 'bari'],
      ['bari', 'bari'],
    ] as const) {
      const followed = followMaster(service.db, slug, { ...input, master: of });
      await assert.rejects(followed, /branch|itself/);
    }
    assert.equal((await bari.ask('GET', '/chain')).role, null);
  });

  test('is left with the menu as it is', async () => {
    const before = await menuOf('roma');
    await leaveMaster(service.db, 'roma');
    assert.deepEqual(await menuOf('roma'), before);
    assert.equal((await roma.dish('Olive')).chain, null);
    await assert.rejects(leaveMaster(service.db, 'roma'), /no branch/);
    await master.ask('POST', '/chain/publish', {}, 404);
    // It finds the same records again by their names.
    const report = await follow(service, roma, master, 'name');
    assert.ok(report.matched > 6, JSON.stringify(report));
    const [done] = await publish();
    assert.deepEqual([done.counts.created, done.refused], [0, []]);
  });

  test('lets records of a copy follow by their names, and fields that differ stay its own', async () => {
    const napoli = await cloneHouse(service, master, 'napoli');
    await napoli.change('Olive', { price: 4 });
    await follow(service, napoli, master, 'name');
    assert.deepEqual((await napoli.dish('Olive')).chain.own_fields, ['price']);
    assert.deepEqual((await napoli.dish('Crostini')).chain.own_fields, []);
    const [done] = await publish({ branches: ['napoli'] });
    assert.deepEqual([done.counts.created, done.counts.updated], [0, 0]);
    assert.deepEqual(valuesOf(done.shadowed), [['price', 4, 5.5]]);
  });
});
