import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { scopes } from '../../../db/schema/token.ts';
import { COLLECTIONS, type Collection, SINGLETONS } from '../../../db/schema/values/resource.ts';
import type { Paths, Response as Promised } from '../../../gateway/openapi/parts.ts';
import { adminService, issueToken } from '../../support/admin.ts';
import { checkAnswer, document, pathOf } from '../../support/contract.ts';
import { createDatabaseLink } from '../../support/database-link.ts';
import {
  MISSING,
  nowhere,
  operations,
  scopeOf,
  scopesOf,
  takesKeys,
} from '../../support/documented-operations.ts';
import { startTestGateway } from '../../support/gateway.ts';
import type { Client, RequestOptions, Response } from '../../support/http.ts';
import { nameOf, newBody, pathTo, writtenBack } from '../../support/new-records.ts';
import { JPEG, takesPhotos, tooLarge } from '../../support/too-large.ts';
import { until } from '../../support/until.ts';
import { queueIsDrained, startTestWorker } from '../../support/worker.ts';
import { askChain } from './ask-chain.ts';
import { askHosts } from './ask-hosts.ts';
import { askPeople } from './ask-people.ts';
import { askReleases } from './ask-releases.ts';
import { askScreens } from './ask-screens.ts';
import { askTranslations } from './ask-translations.ts';
import { askVersions } from './ask-versions.ts';
import { askWebhooks } from './ask-webhooks.ts';

// Real answers to every operation of the document, each held against it. Statuses are counted:
// at the end every status of every operation must have been.

const answered = new Set<string>();
const tokens = new Map<string, string>();
const STALE = { 'If-Match': '"stale"' };
const SHORT_STREAMS = { streamCommentInterval: 9, minStreamAge: 9, maxStreamAge: 60 };
const ASYNC = { Prefer: 'respond-async' };
const TOO_LONG = { 'Idempotency-Key': 'k'.repeat(300) };

const service = await adminService(SHORT_STREAMS);
for (const scope of scopes) {
  tokens.set(scope, await issueToken(service.db, service.tenantId, [scope]));
}

/** Asks, checks the answer against the document and counts it. */
async function ask(
  client: Client,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const whole = `/api/v1${path}`;
  const answer = await client.send(whole, { method, ...options });
  checkAnswer(method, whole, answer);
  answered.add(`${method} ${pathOf(whole)} ${answer.status}`);
  return answer;
}

/** The same with a token that has the documented scope and no other, and with a body as JSON. */
function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const template = pathOf(`/api/v1${path}`);
  const found = operations.find((one) => one.method === method && one.template === template);
  assert.ok(found, `${method} ${path} is not in the document`);
  const scope = scopeOf(found.operation);
  return ask(service.client, method, path, {
    headers: {
      ...(scope && { Authorization: `Bearer ${tokens.get(scope)}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  });
}

async function create(collection: Collection, more: Record<string, string> = {}) {
  const [body, headers] = await newBody(collection);
  return call('POST', pathTo(collection), body, { ...headers, ...more });
}

async function expectStatus(status: number, answer: Promise<Response>): Promise<Response> {
  const { status: found, text } = await answer;
  assert.equal(found, status, text);
  return answer;
}

/** Asks for a job until it is finished. */
async function result(accepted: Response): Promise<Response> {
  const path = (accepted.headers.location as string).slice('/api/v1'.length);
  let answer = accepted;
  await until(`${path} is not finished`, async () => {
    answer = await call('GET', path);
    return answer.headers['x-job-state'] === 'finished';
  });
  return answer;
}

const reads = operations.filter(({ template }) => /^\/(?!admin|analytics)/.test(template));
const guarded = operations.filter(({ operation }) => scopeOf(operation) !== undefined);
const reports = operations.filter(({ template }) => template.includes('admin/analytics'));
const writes = operations.filter(({ operation }) => operation.responses[413]);

describe('every answer is as documented', () => {
  test('reads: whole, compressed, unchanged, without a body', async () => {
    // So long that every answer that holds one of them is compressed for who takes that.
    const long = Object.fromEntries(['it', 'en', 'fr', 'de'].map((one) => [one, 'è '.repeat(900)]));
    await expectStatus(200, service.admin.call('PATCH', '/items/1', { description: long }));
    await expectStatus(200, service.admin.call('PATCH', '/categories/1', { notes: long }));
    for (const { template, operation } of reads) {
      if (template === '/stream') continue;
      const path = template.replace('{id}', '1').replace('{locale}', 'de');
      const full = await expectStatus(200, call('GET', path));
      const { headers: promised } = operation.responses[200] as Promised;
      for (const name of ['Vary', 'Content-Encoding']) {
        assert.equal(name in promised, 'vary' in full.headers, `${template} and ${name}`);
      }
      for (const encoding of ['gzip', 'br']) {
        await expectStatus(200, call('GET', path, undefined, { 'Accept-Encoding': encoding }));
      }
      const etag = { 'If-None-Match': full.headers.etag as string };
      await expectStatus(304, call('GET', `${path}/`, undefined, etag));
      await expectStatus(200, ask(service.client, 'HEAD', path));
      await expectStatus(204, ask(service.client, 'OPTIONS', path));
      for (const id of template.includes('{id}') ? [MISSING.id, 'x', '0'] : []) {
        await expectStatus(404, call('GET', template.replace('{id}', id)));
      }
    }
    const named =
      /^\/admin\/((?!jobs|webhooks|hosts|screens|releases)[\w-]+\/\{id\}|settings|theme)$/;
    const records = operations.filter((one) => one.method === 'GET' && named.test(one.template));
    await Promise.all(COLLECTIONS.map((one) => create(one)));
    for (const { template } of records) {
      const path = template.replace('{id}', '1');
      const record = await expectStatus(200, call('GET', path));
      for (const tags of [`"x", W/${record.headers.etag}`, '*']) {
        const headers = { 'If-None-Match': tags };
        const same = await expectStatus(304, call('GET', path, undefined, headers));
        assert.equal(same.headers.etag, record.headers.etag);
      }
      await expectStatus(200, call('GET', path, undefined, { 'If-None-Match': '"x"' }));
    }
    for (const how of ['GET', 'HEAD']) await expectStatus(200, ask(service.client, how, '/stream'));
    const queries = ['page=9', 'per_page=1&page=2', 'search=zzz', 'locale=en', 'category_id=1'];
    for (const query of queries) await expectStatus(200, call('GET', `/items?${query}`));
    await expectStatus(200, call('GET', '/menu/xx'));
    await expectStatus(422, call('GET', '/items?category_id=x&is_recommended=2'));
    await expectStatus(200, call('GET', '/allergens?locale=fr'));
  });

  test('tokens: none, a wrong one, one without the scope', async () => {
    for (const one of guarded) {
      const { method, operation } = one;
      const path = nowhere(one);
      await expectStatus(401, ask(service.client, method, path));
      for (const scope of scopes.filter((other) => !scopesOf(operation).includes(other))) {
        const headers = { Authorization: `Bearer ${tokens.get(scope)}` };
        await expectStatus(403, ask(service.client, method, path, { headers }));
      }
    }
  });

  test('headers that can be read in two ways, or say that chunks follow where none are read', async () => {
    const twice = { Authorization: ['Bearer a', 'Bearer b'] as unknown as string };
    for (const one of [...guarded, ...writes]) {
      const options = { headers: twice };
      await expectStatus(400, ask(service.client, one.method, nowhere(one), options));
    }
    const headers = { 'Transfer-Encoding': 'chunked' };
    for (const one of reads) {
      await expectStatus(400, ask(service.client, one.method, nowhere(one), { headers }));
    }
  });

  test('queries that are longer than any of ours', async () => {
    const long = `?x=${'x'.repeat(constants.maxQueryLength)}`;
    for (const one of operations.filter(({ operation }) => '414' in operation.responses)) {
      await expectStatus(414, call(one.method, nowhere(one) + long));
    }
  });

  test('hosts, paths and methods that do not exist', async () => {
    const unknown = service.gateway.client('nessuno');
    for (const one of operations) {
      await expectStatus(404, ask(unknown, one.method, nowhere(one)));
      const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];
      const item = (document.paths as Paths)[one.template] ?? {};
      for (const method of all.filter((other) => !(other.toLowerCase() in item))) {
        await expectStatus(405, ask(service.client, method, nowhere(one)));
      }
      answered.add(`${one.method} ${one.template} 405`);
    }
    for (const path of ['/', '/menus', '/menu/de/x', '/admin', '/admin/items/1/x', '/analytics']) {
      for (const how of ['GET', 'POST']) await expectStatus(404, ask(service.client, how, path));
    }
  });

  test('bodies that are too long, of another kind, or wrong', async () => {
    for (const one of writes) {
      const { method, operation } = one;
      const path = nowhere(one);
      await expectStatus(413, call(method, path, tooLarge(one)));
      if (takesPhotos(one)) {
        await expectStatus(415, call(method, path, {}));
        for (const wrong of ['', 'GIF8']) await expectStatus(422, call(method, path, wrong, JPEG));
      } else if (operation.requestBody) {
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
        await expectStatus(415, call(method, path, 'name=x', form));
        const { required } = operation.requestBody;
        for (const wrong of [...(required ? [''] : []), '{', '[]', '"x"', 'null']) {
          await expectStatus(422, call(method, path, wrong));
        }
      }
      if (takesKeys(operation) && !takesPhotos(one)) {
        await expectStatus(422, call(method, path, {}, TOO_LONG));
      }
    }
  });

  test('whole menus: export, import, many operations', async () => {
    const exported = await expectStatus(200, call('GET', '/admin/export'));
    await expectStatus(422, call('GET', '/admin/export?format=xml'));
    const known = { 'If-None-Match': exported.headers.etag ?? '' };
    await expectStatus(304, call('GET', '/admin/export', undefined, known));
    const bodies = { '/admin/import': exported.json.data, '/admin/bulk': { operations: [] } };
    for (const [path, body] of Object.entries(bodies)) {
      const method = path.endsWith('bulk') ? 'POST' : 'PUT';
      await expectStatus(200, call(method, path, body));
      await expectStatus(412, call(method, path, body, { 'If-Match': '"v0"' }));
      await result(await expectStatus(202, call(method, path, body, ASYNC)));
    }
    const unknown = { resource: 'categories', action: 'update', id: 999_999, data: {} };
    const refused = call('POST', '/admin/bulk', { operations: [unknown] });
    assert.match((await expectStatus(422, refused)).headers.etag ?? '', /^"v/);
  });

  test('versions: kept, changed since, gone', async () => {
    await askVersions({ call, expectStatus, result }, service.databaseUrl);
  });

  test('people, releases, webhooks and screens: made, shown, changed, told, deleted', async () => {
    const asking = { call, expectStatus, result };
    const asks = [askPeople, askReleases, askWebhooks, askHosts, askTranslations];
    for (const ask of asks) await ask(asking, service.databaseUrl);
    await askScreens(asking, service);
    await askChain(asking, service);
  });

  test('events and reports', async () => {
    const event = { type: 'item_view', item_id: 1, visitor_id: 'a' };
    for (const body of [event, [event, { type: 'menu_view' }], { events: [event] }]) {
      await expectStatus(202, call('POST', '/analytics/events', body));
    }
    const beacon = { 'Content-Type': 'text/plain' };
    await expectStatus(202, call('POST', '/analytics/events', event, beacon));
    await expectStatus(422, call('POST', '/analytics/events', [{ type: 'x' }, { item_id: -1 }]));
    await queueIsDrained(service.databaseUrl, 'analytics-events');
    for (const { template } of reports) {
      await expectStatus(200, call('GET', template));
      await expectStatus(200, call('GET', `${template}?from=2026-01-01&to=2026-01-31&limit=1`));
      await expectStatus(422, call('GET', `${template}?from=2026-02-30&limit=x`));
    }
  });
});

describe('every answer to a write is as documented', () => {
  for (const resource of COLLECTIONS) {
    test(`${resource}: from its creation to its restoration`, async () => {
      const all = pathTo(resource);
      const created = await expectStatus(201, create(resource));
      const one = `${all}/${created.json.data.id}`;
      assert.equal(created.headers.location, `/api/v1${one}`);
      await expectStatus(200, call('GET', one));
      await expectStatus(200, call('GET', `${all}?per_page=1&page=2`));
      await expectStatus(422, call('GET', `${all}?category_id=x&deleted=2`));
      const { updated_at: _then, ...data } = created.json.data;
      const same = await expectStatus(200, call('PUT', one, writtenBack(resource, data)));
      const { updated_at: _now, ...stored } = same.json.data;
      assert.deepEqual(stored, data);
      const change = nameOf(resource);
      const wrong = Object.fromEntries(Object.keys(change).map((name) => [name, 7]));
      for (const method of ['PUT', 'PATCH']) {
        await expectStatus(200, call(method, one, change));
        await expectStatus(412, call(method, one, change, STALE));
        await expectStatus(422, call(method, one, wrong));
        await result(await expectStatus(202, call(method, one, change, ASYNC)));
        await expectStatus(404, call(method, `${all}/${MISSING.id}`, change));
      }
      await expectStatus(412, call('DELETE', one, undefined, STALE));
      await expectStatus(204, call('DELETE', one));
      await expectStatus(404, call('DELETE', one));
      await expectStatus(404, call('GET', one));
      await expectStatus(200, call('GET', `${all}?deleted=1`));
      await expectStatus(412, call('POST', `${one}/restore`, undefined, STALE));
      await expectStatus(200, call('POST', `${one}/restore`));
      await expectStatus(404, call('POST', `${all}/${MISSING.id}/restore`));
      await result(await expectStatus(202, call('POST', `${one}/restore`, undefined, ASYNC)));
      const gone = await expectStatus(202, call('DELETE', one, undefined, ASYNC));
      assert.equal((await result(gone)).status, 204);
      const later = await expectStatus(202, create(resource, ASYNC));
      assert.equal((await result(later)).status, 201);
    });
  }

  test('a photo that is there already', async () => {
    const [body, headers] = await newBody('photos');
    const upload = () => call('POST', '/admin/photos', body, headers);
    for (const status of [201, 200]) await expectStatus(status, upload());
  });

  test('settings and theme', async () => {
    for (const resource of SINGLETONS) {
      const path = `/admin/${resource}`;
      await expectStatus(200, call('GET', path));
      const change = resource === 'theme' ? { border_radius: '4px' } : { phone: '1' };
      for (const method of ['PUT', 'PATCH']) {
        await expectStatus(200, call(method, path, change));
        await expectStatus(412, call(method, path, change, STALE));
        const wrong = resource === 'theme' ? { primary_color: 'red' } : { email: 'x' };
        await expectStatus(422, call(method, path, wrong));
        await result(await expectStatus(202, call(method, path, change, ASYNC)));
      }
    }
  });

  test('jobs: waiting, done, refused, unknown', async () => {
    await service.worker.stop();
    const path = '/admin/items/1';
    const jobs = [
      await call('PUT', path, { price: 8 }, ASYNC),
      await call('PUT', path, { price: 8 }, { ...ASYNC, ...STALE }),
      await call('PUT', path, { category_id: Number(MISSING.id) }, ASYNC),
      await call('PUT', `/admin/items/${MISSING.id}`, { price: 8 }, ASYNC),
    ];
    for (const { headers } of jobs) {
      const location = (headers.location as string).slice('/api/v1'.length);
      await expectStatus(202, call('GET', location));
    }
    service.worker = await startTestWorker(service.databaseUrl);
    const statuses = [];
    for (const job of jobs) statuses.push((await result(job)).status);
    assert.deepEqual(statuses, [200, 412, 422, 404]);
    await expectStatus(404, call('GET', `/admin/jobs/${MISSING.job}`));
    await expectStatus(404, call('GET', '/admin/jobs/x'));
  });
});

test('a client beyond its limit is told so', async () => {
  const limits = { LIMIT_PUBLIC: '1', LIMIT_ADMIN: '1', LIMIT_ANALYTICS: '1' };
  const proxies = { TRUSTED_PROXIES: '127.0.0.0/8' };
  const gateway = await startTestGateway(service.databaseUrl, { ...limits, ...proxies });
  try {
    const direct = gateway.client('osteria');
    // The windows of this machine's address began with other tests, and may end within this one.
    const from = { 'X-Forwarded-For': '198.51.100.1' };
    const client: Client = {
      ...direct,
      send: (path, options) =>
        direct.send(path, { ...options, headers: { ...options?.headers, ...from } }),
    };
    for (const one of operations) await ask(client, one.method, nowhere(one));
    for (const one of operations) await expectStatus(429, ask(client, one.method, nowhere(one)));
    await expectStatus(429, ask(client, 'GET', '/menus'));
  } finally {
    await gateway.stop();
  }
});

test('a gateway that cannot reach its database says so', async () => {
  const link = await createDatabaseLink(service.databaseUrl);
  const gateway = await startTestGateway(link.url, {}, constants);
  try {
    link.cut();
    const client = gateway.client('osteria');
    for (const one of operations) await expectStatus(503, ask(client, one.method, nowhere(one)));
  } finally {
    link.thaw();
    await gateway.stop();
    await link.stop();
  }
});

test('no status of the document went unseen', () => {
  const promised = operations.flatMap(({ method, template, operation }) =>
    Object.keys(operation.responses).map((status) => `${method} ${template} ${status}`),
  );
  // No request can provoke a server error.
  const missed = promised.filter((one) => !answered.has(one) && !one.endsWith(' 500'));
  assert.deepEqual(missed, []);
});
