import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { type Scope, scopes } from '../../db/schema/token.ts';
import { COLLECTIONS, type Collection, SINGLETONS } from '../../db/schema/values/resource.ts';
import type { Paths, Response as Promised } from '../../gateway/openapi/parts.ts';
import { askChain } from '../api/openapi/ask-chain.ts';
import { askHosts } from '../api/openapi/ask-hosts.ts';
import { askPeople } from '../api/openapi/ask-people.ts';
import { askReleases } from '../api/openapi/ask-releases.ts';
import { askScreens } from '../api/openapi/ask-screens.ts';
import { askTranslations } from '../api/openapi/ask-translations.ts';
import { askVersions } from '../api/openapi/ask-versions.ts';
import { askWebhooks } from '../api/openapi/ask-webhooks.ts';
import { adminService, issueToken } from '../support/admin.ts';
import { checkAnswer, document, pathOf } from '../support/contract.ts';
import { databaseLink } from '../support/database-link.ts';
import {
  type Documented,
  MISSING,
  nowhere,
  operations,
  scopeOf,
  scopesOf,
  takesKeys,
} from '../support/documented-operations.ts';
import { startTestGateway, testGateway } from '../support/gateway.ts';
import type { Client, RequestOptions, Response } from '../support/http.ts';
import { nameOf, newBody, pathTo, writtenBack } from '../support/new-records.ts';
import { JPEG, takesPhotos, tooLarge } from '../support/too-large.ts';
import { until } from '../support/until.ts';
import { queueIsDrained, startTestWorker } from '../support/worker.ts';

// Real answers to every operation of the document, each held against it. Statuses are counted:
// at the end every status of every operation must have been.

const answered = new Set<string>();
const tokens = new Map<string, string>();
const STALE = { 'If-Match': '"stale"' };
const SHORT_STREAMS = { streamCommentInterval: 9, minStreamAge: 9, maxStreamAge: 60 };
const ASYNC = { Prefer: 'respond-async' };
const TOO_LONG = { 'Idempotency-Key': 'k'.repeat(300) };

const service = await adminService({ constants: SHORT_STREAMS });
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
    (await service.admin.call('PATCH', '/items/1', { description: long })).expect(200);
    (await service.admin.call('PATCH', '/categories/1', { notes: long })).expect(200);
    for (const { template, operation } of reads) {
      if (template === '/stream') continue;
      const path = template.replace('{id}', '1').replace('{locale}', 'de');
      const full = (await call('GET', path)).expect(200);
      const { headers: promised } = operation.responses[200] as Promised;
      for (const name of ['Vary', 'Content-Encoding']) {
        assert.equal(name in promised, 'vary' in full.headers, `${template} and ${name}`);
      }
      for (const encoding of ['gzip', 'br']) {
        (await call('GET', path, undefined, { 'Accept-Encoding': encoding })).expect(200);
      }
      const etag = { 'If-None-Match': full.headers.etag as string };
      (await call('GET', `${path}/`, undefined, etag)).expect(304);
      (await ask(service.client, 'HEAD', path)).expect(200);
      (await ask(service.client, 'OPTIONS', path)).expect(204);
      for (const id of template.includes('{id}') ? [MISSING.id, 'x', '0'] : []) {
        (await call('GET', template.replace('{id}', id))).expect(404);
      }
    }
    const named =
      /^\/admin\/((?!jobs|webhooks|hosts|screens|releases)[\w-]+\/\{id\}|settings|theme)$/;
    const records = operations.filter((one) => one.method === 'GET' && named.test(one.template));
    await Promise.all(COLLECTIONS.map((one) => create(one)));
    for (const { template } of records) {
      const path = template.replace('{id}', '1');
      const record = (await call('GET', path)).expect(200);
      for (const tags of [`"x", W/${record.headers.etag}`, '*']) {
        const headers = { 'If-None-Match': tags };
        const same = (await call('GET', path, undefined, headers)).expect(304);
        assert.equal(same.headers.etag, record.headers.etag);
      }
      (await call('GET', path, undefined, { 'If-None-Match': '"x"' })).expect(200);
    }
    for (const how of ['GET', 'HEAD']) (await ask(service.client, how, '/stream')).expect(200);
    const queries = ['page=9', 'per_page=1&page=2', 'search=zzz', 'locale=en', 'category_id=1'];
    for (const query of queries) (await call('GET', `/items?${query}`)).expect(200);
    (await call('GET', '/menu/xx')).expect(200);
    (await call('GET', '/items?category_id=x&is_recommended=2')).expect(422);
    (await call('GET', '/allergens?locale=fr')).expect(200);
  });

  test('tokens: none, a wrong one, one without the scope', async () => {
    for (const one of guarded) {
      const { method, operation } = one;
      const path = nowhere(one);
      (await ask(service.client, method, path)).expect(401);
      // `access-matrix.test.ts` asks with the others.
      const scope = scopes.find((other) => !scopesOf(operation).includes(other)) as Scope;
      const headers = { Authorization: `Bearer ${tokens.get(scope)}` };
      (await ask(service.client, method, path, { headers })).expect(403);
    }
  });

  test('headers that can be read in two ways, or say that chunks follow where none are read', async () => {
    const twice = { Authorization: ['Bearer a', 'Bearer b'] as unknown as string };
    for (const one of [...guarded, ...writes]) {
      const options = { headers: twice };
      (await ask(service.client, one.method, nowhere(one), options)).expect(400);
    }
    const headers = { 'Transfer-Encoding': 'chunked' };
    for (const one of reads) {
      (await ask(service.client, one.method, nowhere(one), { headers })).expect(400);
    }
  });

  test('queries that are longer than any of ours', async () => {
    const long = `?x=${'x'.repeat(constants.maxQueryLength)}`;
    for (const one of operations.filter(({ operation }) => '414' in operation.responses)) {
      (await call(one.method, nowhere(one) + long)).expect(414);
    }
  });

  test('hosts, paths and methods that do not exist', async () => {
    const unknown = service.gateway.client('nessuno');
    for (const one of operations) (await ask(unknown, one.method, nowhere(one))).expect(404);
    const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];
    for (const [template, item] of Object.entries(document.paths as Paths)) {
      const one = operations.find((each) => each.template === template) as Documented;
      for (const method of all.filter((other) => !(other.toLowerCase() in item))) {
        (await ask(service.client, method, nowhere(one))).expect(405);
      }
      for (const method of Object.keys(item)) {
        answered.add(`${method.toUpperCase()} ${template} 405`);
      }
    }
    for (const path of ['/', '/menus', '/menu/de/x', '/admin', '/admin/items/1/x', '/analytics']) {
      for (const how of ['GET', 'POST']) (await ask(service.client, how, path)).expect(404);
    }
  });

  test('bodies that are too long, of another kind, or wrong', async () => {
    for (const one of writes) {
      const { method, operation } = one;
      const path = nowhere(one);
      (await call(method, path, tooLarge(one))).expect(413);
      if (takesPhotos(one)) {
        (await call(method, path, {})).expect(415);
        for (const wrong of ['', 'GIF8']) (await call(method, path, wrong, JPEG)).expect(422);
      } else if (operation.requestBody) {
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
        (await call(method, path, 'name=x', form)).expect(415);
        const { required } = operation.requestBody;
        for (const wrong of [...(required ? [''] : []), '{', '[]', '"x"', 'null']) {
          (await call(method, path, wrong)).expect(422);
        }
      }
      if (takesKeys(operation) && !takesPhotos(one)) {
        (await call(method, path, {}, TOO_LONG)).expect(422);
      }
    }
  });

  test('whole menus: export, import, many operations', async () => {
    const exported = (await call('GET', '/admin/export')).expect(200);
    (await call('GET', '/admin/export?format=xml')).expect(422);
    const known = { 'If-None-Match': exported.headers.etag ?? '' };
    (await call('GET', '/admin/export', undefined, known)).expect(304);
    const bodies = { '/admin/import': exported.json.data, '/admin/bulk': { operations: [] } };
    for (const [path, body] of Object.entries(bodies)) {
      const method = path.endsWith('bulk') ? 'POST' : 'PUT';
      (await call(method, path, body)).expect(200);
      (await call(method, path, body, { 'If-Match': '"v0"' })).expect(412);
      await result((await call(method, path, body, ASYNC)).expect(202));
    }
    const unknown = { resource: 'categories', action: 'update', id: 999_999, data: {} };
    const refused = call('POST', '/admin/bulk', { operations: [unknown] });
    assert.match((await refused).expect(422).headers.etag ?? '', /^"v/);
  });

  test('versions: kept, changed since, gone', async () => {
    await askVersions({ call, result }, service.databaseUrl);
  });

  test('people, releases, webhooks and screens: made, shown, changed, told, deleted', async () => {
    const asking = { call, result };
    const asks = [askPeople, askReleases, askWebhooks, askHosts, askTranslations];
    for (const ask of asks) await ask(asking, service.databaseUrl);
    await askScreens(asking, service);
    await askChain(asking, service);
  });

  test('events and reports', async () => {
    const event = { type: 'item_view', item_id: 1, visitor_id: 'a' };
    for (const body of [event, [event, { type: 'menu_view' }], { events: [event] }]) {
      (await call('POST', '/analytics/events', body)).expect(202);
    }
    const beacon = { 'Content-Type': 'text/plain' };
    (await call('POST', '/analytics/events', event, beacon)).expect(202);
    (await call('POST', '/analytics/events', [{ type: 'x' }, { item_id: -1 }])).expect(422);
    await queueIsDrained(service.databaseUrl, 'analytics-events');
    for (const { template } of reports) {
      (await call('GET', template)).expect(200);
      (await call('GET', `${template}?from=2026-01-01&to=2026-01-31&limit=1`)).expect(200);
      (await call('GET', `${template}?from=2026-02-30&limit=x`)).expect(422);
    }
  });
});

describe('every answer to a write is as documented', () => {
  for (const resource of COLLECTIONS) {
    test(`${resource}: from its creation to its restoration`, async () => {
      const all = pathTo(resource);
      const created = (await create(resource)).expect(201);
      const one = `${all}/${created.json.data.id}`;
      assert.equal(created.headers.location, `/api/v1${one}`);
      (await call('GET', one)).expect(200);
      (await call('GET', `${all}?per_page=1&page=2`)).expect(200);
      (await call('GET', `${all}?category_id=x&deleted=2`)).expect(422);
      const { updated_at: _then, ...data } = created.json.data;
      const same = (await call('PUT', one, writtenBack(resource, data))).expect(200);
      const { updated_at: _now, ...stored } = same.json.data;
      assert.deepEqual(stored, data);
      const change = nameOf(resource);
      const wrong = Object.fromEntries(Object.keys(change).map((name) => [name, 7]));
      for (const method of ['PUT', 'PATCH']) {
        (await call(method, one, change)).expect(200);
        (await call(method, one, change, STALE)).expect(412);
        (await call(method, one, wrong)).expect(422);
        await result((await call(method, one, change, ASYNC)).expect(202));
        (await call(method, `${all}/${MISSING.id}`, change)).expect(404);
      }
      (await call('DELETE', one, undefined, STALE)).expect(412);
      (await call('DELETE', one)).expect(204);
      (await call('DELETE', one)).expect(404);
      (await call('GET', one)).expect(404);
      (await call('GET', `${all}?deleted=1`)).expect(200);
      (await call('POST', `${one}/restore`, undefined, STALE)).expect(412);
      (await call('POST', `${one}/restore`)).expect(200);
      (await call('POST', `${all}/${MISSING.id}/restore`)).expect(404);
      await result((await call('POST', `${one}/restore`, undefined, ASYNC)).expect(202));
      const gone = (await call('DELETE', one, undefined, ASYNC)).expect(202);
      assert.equal((await result(gone)).status, 204);
      const later = (await create(resource, ASYNC)).expect(202);
      assert.equal((await result(later)).status, 201);
    });
  }

  test('a photo that is there already', async () => {
    const [body, headers] = await newBody('photos');
    const upload = () => call('POST', '/admin/photos', body, headers);
    for (const status of [201, 200]) (await upload()).expect(status);
  });

  test('settings and theme', async () => {
    for (const resource of SINGLETONS) {
      const path = `/admin/${resource}`;
      (await call('GET', path)).expect(200);
      const change = resource === 'theme' ? { border_radius: '4px' } : { phone: '1' };
      for (const method of ['PUT', 'PATCH']) {
        (await call(method, path, change)).expect(200);
        (await call(method, path, change, STALE)).expect(412);
        const wrong = resource === 'theme' ? { primary_color: 'red' } : { email: 'x' };
        (await call(method, path, wrong)).expect(422);
        await result((await call(method, path, change, ASYNC)).expect(202));
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
      (await call('GET', location)).expect(202);
    }
    service.worker = await startTestWorker(service.databaseUrl);
    const statuses = [];
    for (const job of jobs) statuses.push((await result(job)).status);
    assert.deepEqual(statuses, [200, 412, 422, 404]);
    (await call('GET', `/admin/jobs/${MISSING.job}`)).expect(404);
    (await call('GET', '/admin/jobs/x')).expect(404);
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
    for (const one of operations) (await ask(client, one.method, nowhere(one))).expect(429);
    (await ask(client, 'GET', '/menus')).expect(429);
  } finally {
    await gateway.stop();
  }
});

test('a gateway that cannot reach its database says so', async () => {
  const link = await databaseLink(service.databaseUrl);
  const gateway = await testGateway(link.url, {}, constants);
  link.cut();
  const client = gateway.client('osteria');
  for (const one of operations) (await ask(client, one.method, nowhere(one))).expect(503);
  link.thaw();
});

test('no status of the document went unseen', () => {
  const promised = operations.flatMap(({ method, template, operation }) =>
    Object.keys(operation.responses).map((status) => `${method} ${template} ${status}`),
  );
  // No request can provoke a server error.
  const missed = promised.filter((one) => !answered.has(one) && !one.endsWith(' 500'));
  assert.deepEqual(missed, []);
});
