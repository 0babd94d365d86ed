// A gateway loads what owners and operators use after its start, or with the first request for it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../bench/processes/free-port.ts';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { issueToken } from '../../support/admin.ts';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { startProcess } from '../../support/process.ts';

const service = await menuService([trattoria]);

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Requests for deferred routes, and for some that are always there, with their answers. */
const ANSWERS: readonly [method: string, path: string, status: number, told: RegExp][] = [
  ['GET', '/admin', 303, /^$/],
  ['GET', '/admin/sign-in', 200, /<title>/],
  ['GET', '/admin/nothing', 404, /Resource not found/],
  ['POST', '/admin/qr', 405, /Method Not Allowed/],
  ['GET', '/administrator', 404, /Resource not found/],
  ['GET', '/api/v1/admin/items/1', 200, /"id":1,/],
  ['POST', '/api/v1/admin/categories', 422, /"success":false/],
  ['GET', '/api/v1/admin/nothing', 404, /Resource not found/],
  ['POST', '/mcp', 200, /"jsonrpc":"2.0"/],
  ['GET', '/api/v1/menu', 200, /"success":true/],
];

async function assertAnswers(t: TestContext, isSource: boolean): Promise<void> {
  const { db, tenantId, databaseUrl } = service;
  const port = await freePort();
  const ports = { PORT: String(port), OPS_PORT: String(await freePort()) };
  const env = { DATABASE_URL: databaseUrl, ...ports };
  const gateway = startProcess('gateway/main.ts', { env, isSource });
  t.after(() => gateway.stop());
  await gateway.waitFor(/"msg":"started"/);
  const client = createClient(port, 'trattoria.localhost');
  const headers = {
    Authorization: `Bearer ${await issueToken(db, tenantId)}`,
    ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  };
  const askAll = () =>
    Promise.all(
      ANSWERS.map(async ([method, path, status, told]) => {
        const isRead = method === 'GET';
        const answer = await client.send(path, { method, headers, ...(!isRead && { body: PING }) });
        assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
        assert.match(answer.text, told, `${method} ${path}`);
      }),
    );
  await askAll();
  await askAll();
  const operators = createClient(port, 'localhost');
  (await operators.send('/platform/hosts/trattoria.localhost')).expect(200);
}

test('the first requests of owners, ten at once, are answered as later ones', (t) => {
  return assertAnswers(t, false);
});

test('so they are by a gateway that runs its source, and loads it file by file', (t) => {
  return assertAnswers(t, true);
});
