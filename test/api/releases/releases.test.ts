// Releases: lists of operations that wait, by the admin API and the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { create, dish } from '../../support/bulk-operations.ts';
import { each } from '../../support/each.ts';
import type { Response } from '../../support/http.ts';
import { until } from '../../support/until.ts';

type Fields = Record<string, unknown>;

const service = await adminService({ constants: { clockInterval: 20, webhookInterval: 50 } });
const ids = new Map<string, number>();
const { data } = (await service.admin.get('/items?per_page=100')).json;
for (const { id, name } of data) ids.set(name, id);

const LATER = '2198-12-24T18:00:00Z';
const LAST = '2198-12-27T00:00:00Z';
const idOf = (name: string) => Number(ids.get(name));
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  service.admin.call(method, `/releases${path}`, body, headers);
async function done(status: number, sent: Promise<Response>): Promise<Fields> {
  const reply = (await sent).expect(status);
  return status === 204 ? {} : reply.json.data;
}
const make = (body: Fields) => done(201, call('POST', '', { name: 'Natale', ...body }));
const show = (id: unknown) => done(200, call('GET', `/${id}`));
const update = (name: string, data: Fields, expected?: Fields) => {
  const operation = { resource: 'items', action: 'update', id: idOf(name), data };
  return expected ? { ...operation, expected } : operation;
};
const priceOf = async (name: string) =>
  (await service.client.get(`/items/${idOf(name)}`)).json.data.price;
const setPrice = (name: string, price: number) =>
  done(200, service.admin.call('PATCH', `/items/${idOf(name)}`, { price }));
const stateOf = async (id: unknown) => (await show(id)).state;
/** Lets a moment of a release come, and returns it: the API takes moments to come alone. */
async function letCome(id: unknown, moment: 'starts_at' | 'ends_at'): Promise<Date> {
  const [{ come }] = await service.sql(
    // A worker that changes releases has locked their restaurant, too.
    `update releases r set ${moment} = now() from (select id from tenants for update) t
     where r.tenant_id = t.id and r.id = $1 returning ${moment} as come`,
    [id],
  );
  return come;
}
const becomes = (id: unknown, state: string) =>
  until(`the release is not ${state}`, async () => (await stateOf(id)) === state);
const untilChecked = () =>
  until('a release is not checked', async () => {
    const rows = await service.sql`select from releases where not is_checked
        and (state in ('draft', 'scheduled') or (state = 'live' and ends_at is not null))`;
    return rows.length === 0;
  });
const codesOf = async (id: unknown) => {
  const problems = (await show(id)).problems as Fields[];
  return problems.map(({ path, id: record, codes }) => [path || record, codes]);
};
const OUTDATED = { price: [{ rule: 'outdated' }] };
const lastEntry = async () => {
  const { data } = (await service.admin.get('/versions?limit=1')).json;
  return (await service.admin.get(`/versions/${data[0].version}`)).json.data;
};

test('a release is made, shown, changed under its tag, and deleted', async () => {
  const wrong = { resource: 'items', action: 'delete', id: 1, expectd: {} };
  const noted = await call('POST', '', { name: 'x', operations: [wrong], shoes: 1 });
  assert.deepEqual(noted.json.meta.ignored, ['shoes', 'operations.0.expectd']);
  assert.equal((await call('DELETE', `/${noted.json.data.id}`)).status, 204);
  const made = (await call('POST', '', { name: ' Natale ', operations: [], shoes: 1 })).expect(201);
  const { id } = made.json.data;
  assert.equal(made.headers.location, `/api/v1/admin/releases/${id}`);
  assert.deepEqual(made.json.meta.ignored, ['shoes']);
  const { name, state, starts_at, problems, preview_url, is_preview_open } = made.json.data;
  assert.deepEqual(
    { name, state, starts_at, problems, is_preview_open },
    { name: 'Natale', state: 'draft', starts_at: null, problems: [], is_preview_open: true },
  );
  assert.match(String(preview_url), /^http:\/\/osteria\.[^/]+\/preview\/[\w-]{43}$/);
  assert.ok((await call('GET', '')).json.data.some((one: Fields) => one.id === id));
  const tag = made.headers.etag as string;
  const scheduled = await call('PUT', `/${id}`, { starts_at: LATER }, { 'If-Match': tag });
  assert.equal(scheduled.status, 200, scheduled.text);
  assert.equal(scheduled.json.data.state, 'scheduled');
  assert.equal(scheduled.json.data.preview_url, preview_url);
  const late = (await call('PUT', `/${id}`, { name: 'Vigilia' }, { 'If-Match': tag })).expect(412);
  assert.equal(late.headers.etag, scheduled.headers.etag);
  assert.equal(late.json.data.state, 'scheduled');
  const withdrawn = await done(200, call('PUT', `/${id}`, { is_preview_open: false }));
  assert.equal(withdrawn.preview_url, null);
  const again = await done(200, call('PUT', `/${id}`, { is_preview_open: true }));
  assert.notEqual(again.preview_url, preview_url);
  assert.equal((await call('DELETE', `/${id}`)).status, 204);
  for (const path of [`/${id}`, '/0', '/99999', '/x']) {
    assert.equal((await call('GET', path)).status, 404, path);
  }
  assert.equal((await call('DELETE', `/${id}`)).status, 404);
});

test('bodies that break rules are refused with their fields', async () => {
  const past = '2020-01-01T00:00:00Z';
  const wrong: [Fields, string[]][] = [
    [{ name: '' }, ['name']],
    [{ operations: 'x' }, ['operations']],
    [{ operations: [{ resource: 'shoes', action: 'update' }, 7] }, ['operations.0.resource']],
    [{ starts_at: past }, ['starts_at']],
    [{ ends_at: past }, ['ends_at']],
    [{ starts_at: LATER, ends_at: LATER }, ['ends_at']],
    [{ starts_at: 'tomorrow' }, ['starts_at']],
    [{ operations: [update('Olive', { name: { it: 'x'.repeat(300_000) } })] }, ['operations']],
    [{ operations: Array(1_001).fill(update('Olive', { price: 1 })) }, ['operations']],
  ];
  for (const [body, fields] of wrong) {
    const reply = await call('POST', '', { name: 'Natale', ...body });
    assert.equal(reply.status, 422, JSON.stringify(body).slice(0, 200));
    for (const field of fields) assert.ok(field in reply.json.errors, reply.text.slice(0, 300));
  }
  const said = (await call('POST', '', { name: 'N', starts_at: past })).json.errors;
  assert.deepEqual(said, { starts_at: ['Starts at deve essere nel futuro.'] });
  for (const body of ['', '[]', '{"name":"N","operations":[{"data":{"a":"\\u0000"}}]}']) {
    assert.equal((await call('POST', '', body)).status, 422, body);
  }
});

test('publishing is one write with one version and one entry, and happens once', async () => {
  const operations = [
    update('Olive', { price: 5.5 }, { price: 4.5 }),
    create('categories', 'natale', { name: { it: 'Natale' } }),
    dish('Cappone', 'natale', { price: 20 }),
  ];
  const { id } = await make({ operations });
  const tried = (await done(200, call('POST', `/${id}/check`))) as Fields & { counts: Fields };
  assert.deepEqual([tried.applied, tried.dry_run, tried.counts.created], [false, true, 2]);
  assert.equal(await priceOf('Olive'), 4.5);
  const published = await done(200, call('POST', `/${id}/publish`));
  assert.deepEqual([published.applied, published.version], [true, Number(tried.version) + 1]);
  assert.equal(await priceOf('Olive'), 5.5);
  const { origin, actor, version, counts } = await lastEntry();
  assert.deepEqual([origin, actor.kind, version], ['release', 'token', published.version]);
  assert.deepEqual(counts, { created: 2, changed: 1, deleted: 0, restored: 0 });
  assert.equal(await stateOf(id), 'live');
  const again = (await call('POST', `/${id}/publish`)).expect(422);
  const values = ['draft', 'scheduled', 'failed'];
  assert.deepEqual(again.json.codes, { state: [{ rule: 'inState', state: 'live', values }] });
  assert.match(again.json.message, /live.*draft, scheduled, failed/);
  const fixed = await call('PUT', `/${id}`, { operations: [] });
  assert.deepEqual(fixed.json.codes, { operations: [{ rule: 'published' }] });
  // Somebody changes a field of it: that stays when the release is taken back.
  await setPrice('Olive', 6);
  const back = await done(200, call('POST', `/${id}/end`));
  assert.deepEqual(each(back.results as Fields[], 'outcome'), ['deleted', 'deleted']);
  assert.equal(await stateOf(id), 'ended');
  assert.deepEqual(await codesOf(id), [[idOf('Olive'), OUTDATED]]);
  assert.equal(await priceOf('Olive'), 6);
  assert.doesNotMatch((await service.client.get('/menu')).text, /Cappone|"Natale"/);
  await setPrice('Olive', 4.5);
});

test('a span begins and ends on time, and its end takes back what it changed', async () => {
  const { id } = await make({
    operations: [update('Crostini', { price: 9, is_recommended: true })],
    ...{ starts_at: LATER, ends_at: LAST },
  });
  const starts_at = await letCome(id, 'starts_at');
  await becomes(id, 'live');
  await until('the price is the old one', async () => (await priceOf('Crostini')) === 9);
  const begun = await lastEntry();
  assert.deepEqual([begun.origin, begun.actor.kind], ['release', 'clock']);
  assert.ok(Date.parse(begun.at) >= starts_at.getTime(), begun.at);
  assert.equal((await call('DELETE', `/${id}`)).status, 422);
  await letCome(id, 'ends_at');
  await becomes(id, 'ended');
  await until('the price stays', async () => (await priceOf('Crostini')) === 6);
  const dish = (await service.client.get(`/items/${idOf('Crostini')}`)).json.data;
  assert.deepEqual([dish.price, dish.is_recommended], [6, false]);
  assert.deepEqual((await show(id)).problems, []);
  assert.equal((await lastEntry()).origin, 'release');
});

test('a release that does not fit says so before its time, and fails with a message', async () => {
  const secret = { url: 'https://till.example.com/', events: ['release.failed'] };
  const hook = await done(201, service.admin.call('POST', '/webhooks', secret));
  const { id } = await make({
    operations: [
      update('Gnocchi', { is_recommended: true }),
      update('Gnocchi', { price: 13 }, { price: 11 }),
    ],
    starts_at: LATER,
  });
  const problemsOf = async () => (await show(id)).problems as Fields[];
  assert.deepEqual(await problemsOf(), []);
  await setPrice('Gnocchi', 12);
  await until('it fits', async () => (await problemsOf()).length > 0);
  assert.deepEqual(await codesOf(id), [['operations.1', OUTDATED]]);
  const [problem] = await problemsOf();
  assert.deepEqual(problem?.errors, { price: ['Price è cambiato nel frattempo.'] });
  await letCome(id, 'starts_at');
  await becomes(id, 'failed');
  const dish = (await service.client.get(`/items/${idOf('Gnocchi')}`)).json.data;
  assert.deepEqual([dish.price, dish.is_recommended], [12, false]);
  const sent = `/webhooks/${hook.id}/deliveries`;
  assert.deepEqual(each((await service.admin.get(sent)).json.data, 'event'), ['release.failed']);
  await done(204, service.admin.call('DELETE', `/webhooks/${hook.id}`));
  // It waits again when it is mended.
  const operations = [update('Gnocchi', { price: 13 }, { price: 12 })];
  const mended = await done(200, call('PUT', `/${id}`, { operations }));
  assert.deepEqual([mended.state, mended.starts_at], ['draft', null]);
  await done(200, call('POST', `/${id}/publish`));
  assert.equal(await priceOf('Gnocchi'), 13);
});

test('the later of two releases of a dish sees the earlier one’s values', async () => {
  const repriced = (price: number, starts_at: string) =>
    make({ operations: [update('Supplì', { price }, { price: 3 })], starts_at });
  const first = await repriced(4, '2198-12-01T00:00:00Z');
  const second = await repriced(5, '2198-12-02T00:00:00Z');
  const fits = async (release: Fields) => {
    await untilChecked();
    return (await codesOf(release.id)).length === 0;
  };
  assert.equal(await fits(first), true);
  assert.equal(await fits(second), false);
  assert.deepEqual((await call('POST', `/${second.id}/check`)).json.data.counts.failed, 1);
  const operations = [update('Supplì', { price: 5 }, { price: 4 })];
  await done(200, call('PUT', `/${second.id}`, { operations }));
  assert.equal(await fits(second), true);
  // The first one is over before the second begins.
  await done(200, call('PUT', `/${first.id}`, { ends_at: '2198-12-01T12:00:00Z' }));
  assert.equal(await fits(second), false);
  for (const { id } of [first, second]) await call('DELETE', `/${id}`);
});

test('moments of a release are judged at the time at which it acts', async () => {
  const starts_at = '2198-12-24T18:00:00Z';
  const soldOut = (sold_out_until: string) => [update('Olive', { sold_out_until })];
  const early = await make({ starts_at, operations: soldOut('2198-12-24T18:00:00Z') });
  const right = await make({ starts_at, operations: soldOut('2198-12-24T18:00:01Z') });
  const byHand = await make({ operations: soldOut(LAST) });
  await untilChecked();
  const later = [['operations.0', { sold_out_until: [{ rule: 'later' }] }]];
  assert.deepEqual(await codesOf(early.id), later);
  assert.deepEqual([await codesOf(right.id), await codesOf(byHand.id)], [[], []]);
  const tried = await done(200, call('POST', `/${early.id}/check`));
  assert.deepEqual((tried.counts as Fields).failed, 1);
  // No version comes: the moment itself makes it unfit, at the time that was noted for it.
  const [{ recheck_at }] = await service.sql(
    `with noted as (select id, recheck_at from releases where id = $1)
     update releases r set operations = replace(operations::text, $2, $3)::json, recheck_at = now()
     from noted, (select id from tenants for update) t
     where r.id = noted.id and r.tenant_id = t.id returning noted.recheck_at`,
    [byHand.id, LAST, '2020-01-01T00:00:00Z'],
  );
  assert.equal(recheck_at.toISOString(), new Date(LAST).toISOString());
  const past = [['operations.0', { sold_out_until: [{ rule: 'past' }] }]];
  await until('the moment is not over', async () => (await codesOf(byHand.id)).length > 0);
  assert.deepEqual(await codesOf(byHand.id), past);
  const refused = await call('POST', `/${byHand.id}/publish`);
  assert.deepEqual((refused.json.data.counts as Fields).failed, 1);
  for (const { id } of [early, right, byHand]) await done(204, call('DELETE', `/${id}`));
});

test('a release that is late does what it would have done, and its moments that are over too', async () => {
  const visible = { visible_from: '2020-01-03T00:00:00Z', sold_out_until: '2020-01-02T00:00:00Z' };
  const { id } = await make({ operations: [update('Olive', { ...visible, price: 5 })] });
  await untilChecked();
  await service.sql(
    `update releases set state = 'scheduled', starts_at = '2020-01-01' where id = ${id}`,
  );
  await becomes(id, 'live');
  const olive = async () => (await service.client.get(`/items/${idOf('Olive')}`)).json.data;
  await until('it is sold out, or as before', async () => {
    const { price, is_sold_out } = await olive();
    return price === 5 && is_sold_out === false;
  });
  await done(200, call('POST', `/${id}/end`));
  assert.equal(await priceOf('Olive'), 4.5);
});

test('a live release says what its end will leave, and later ones are tried without it', async () => {
  const [ends_at, starts_at] = ['2198-12-27T00:00:00Z', '2198-12-31T00:00:00Z'];
  const live = await make({
    operations: [update('Supplì', { price: 4 }), update('Crostini', { price: 7 })],
    ends_at,
  });
  await done(200, call('POST', `/${live.id}/publish`));
  const after = (expected: number) => ({
    ...{ starts_at, operations: [update('Supplì', { price: 5 }, { price: expected })] },
  });
  const [fits, other] = [await make(after(3)), await make(after(4))];
  await untilChecked();
  assert.deepEqual([await codesOf(live.id), await codesOf(fits.id)], [[], []]);
  assert.equal((await codesOf(other.id)).length, 1);
  await setPrice('Crostini', 8);
  await untilChecked();
  const left = [[idOf('Crostini'), OUTDATED]];
  assert.deepEqual(await codesOf(live.id), left);
  const tried = await done(200, call('POST', `/${live.id}/check`));
  const results = (tried.results as Fields[]).map((one) => [one.id, one.outcome, one.changes]);
  assert.deepEqual(results, [[idOf('Supplì'), 'updated', { price: [4, 3] }]]);
  assert.equal(await stateOf(live.id), 'live');
  await done(200, call('POST', `/${live.id}/end`));
  assert.deepEqual(await codesOf(live.id), left);
  assert.deepEqual([await priceOf('Supplì'), await priceOf('Crostini')], [3, 8]);
  await setPrice('Crostini', 6);
  for (const { id } of [fits, other]) await done(204, call('DELETE', `/${id}`));
});

test('a restaurant has so many releases and no more', async () => {
  const rows = await service.sql(
    `insert into releases (tenant_id, name) select $1, 'R' from generate_series(1, 60) returning id`,
    [service.tenantId],
  );
  const reply = await call('POST', '', { name: 'Natale' });
  assert.deepEqual(reply.json.codes, { releases: [{ rule: 'maxItems', max: 50 }] });
  // Those that are over take no room, and the oldest of them leave.
  await service.sql(`update releases set state = 'ended' where name = 'R'`);
  const { id } = await done(201, call('POST', '', { name: 'Natale' }));
  const kept = await service.sql(`select id from releases where name = 'R' order by id`);
  assert.deepEqual(kept, rows.slice(10));
  await service.sql(`delete from releases where name = 'R'`);
  await done(204, call('DELETE', `/${id}`));
});
