// While an installation is upgraded, gateways of the former release read what new workers store, and
// new gateways read what former workers have stored.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminService, startAdminService } from '../support/admin.ts';
import type { Response } from '../support/http.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

let service: AdminService;

before(async () => {
  service = await startAdminService();
});
after(() => service.stop());

const STALE = { 'If-Match': '"stale"' };
const NEW_DISH = { category_id: 1, name: { it: 'Tiramisù "della nonna"' } };

/** One write of each outcome but `failed`, with the status of its answer. */
const WRITES: [status: number, method: string, path: string, body?: object, headers?: object][] = [
  [201, 'POST', '/items', NEW_DISH],
  [200, 'PUT', '/items/1', { price: 4.25 }],
  [200, 'PUT', '/items/1', {}],
  [412, 'PUT', '/items/1', { price: 5 }, STALE],
  [422, 'PUT', '/items/1', { category_id: 999 }],
  [422, 'PUT', '/items/1', { category_id: 999, winery_id: 999 }],
  [422, 'PUT', '/items/1', { category_id: 999, winery_id: 999, type_id: 999 }],
  [404, 'PUT', '/items/999', { price: 5 }],
  [204, 'DELETE', '/items/2'],
  [200, 'POST', '/items/2/restore'],
];

const sql = (text: string, values: unknown[] = []) => runSql(service.databaseUrl, text, values);

async function lastWrite(): Promise<string> {
  const [{ id }] = await sql('select id from writes order by batch desc limit 1');
  return id;
}

function readJob(id: string): Promise<Response> {
  return service.admin.get(`/jobs/${id}`);
}

function said({ status, text, headers }: Response) {
  return [status, text, headers.etag, headers.location, headers['x-job-state']];
}

test('each result is stored as former gateways read it, and is answered from what they stored', async () => {
  for (const [status, method, path, body, headers = {}] of WRITES) {
    const what = `${status} of ${method} ${path}`;
    const answer = await service.admin.call(method, path, body, { ...headers });
    assert.equal(answer.status, status, answer.text);
    const id = await lastWrite();
    const [stored] = await sql('select status, body, etag from writes where id = $1', [id]);
    const { etag = null } = answer.headers;
    const inFormerWords = { status, body: status === 204 ? null : answer.text, etag };
    assert.deepEqual({ ...stored }, inFormerWords, what);
    assert.deepEqual(said(await readJob(id)), said(answer), what);
    await sql('update writes set outcome = null where id = $1', [id]);
    assert.deepEqual(said(await readJob(id)), said(answer), `${what}, in the former form`);
  }
});

test('a condition that a former gateway stored as it was sent holds', async () => {
  const { etag = '' } = (await service.admin.get('/items/3')).headers;
  const conditions: [status: number, ifMatch: string][] = [
    [200, etag],
    [200, `W/"x", ${etag}`],
    [200, ' * '],
    [412, `W/${etag}`],
    [412, '"stale"'],
    [412, 'nonsense'],
  ];
  await service.worker.stop();
  const ids: string[] = [];
  for (const [, ifMatch] of conditions) {
    const asked = { Prefer: 'respond-async' };
    const { json } = await service.admin.call('PUT', '/items/3', {}, asked);
    ids.push(json.data.id);
    await sql('update writes set if_match = $2 where id = $1', [json.data.id, ifMatch]);
  }
  service.worker = await startTestWorker(service.databaseUrl);
  for (const [index, [status, ifMatch]] of conditions.entries()) {
    let reply: Response | undefined;
    await until('a job does not end', async () => {
      reply = await readJob(ids[index] ?? '');
      return reply.status !== 202;
    });
    assert.equal(reply?.status, status, ifMatch);
  }
});

test('workers of the former release read the condition that a gateway stores', async () => {
  await service.admin.call('PUT', '/items/3', {}, { 'If-Match': 'W/"a", "b, c","d"' });
  const id = await lastWrite();
  const [{ if_match }] = await sql('select if_match from writes where id = $1', [id]);
  assert.deepEqual(if_match.match(/(?:W\/)?"[^"]*"/g), ['"b, c"', '"d"']);
});

test('a write that failed is told alike in both forms', async () => {
  await service.admin.call('PUT', '/items/1', { price: 6 });
  const id = await lastWrite();
  await sql(`update writes set outcome = '{"kind": "failed"}' where id = $1`, [id]);
  const failed = await readJob(id);
  assert.equal(failed.status, 500);
  await sql('update writes set outcome = null where id = $1', [id]);
  assert.deepEqual(said(await readJob(id)), said(failed));
});
