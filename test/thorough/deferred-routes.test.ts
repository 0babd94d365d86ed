// A gateway loads what owners and operators use after its start, or with the first request for it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { issueToken } from '../support/admin.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { createClient } from '../support/http.ts';
import { menuService } from '../support/menu-service.ts';

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
  const gateway = await startGatewayProcess(databaseUrl, {}, {}, { isSource });
  t.after(() => gateway.stop());
  const client = gateway.client('trattoria');
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
  const operators = createClient(gateway.port, 'localhost');
  (await operators.send('/platform/hosts/trattoria.localhost')).expect(200);
}

test('the first requests of owners, ten at once, are answered as later ones', (t) => {
  return assertAnswers(t, false);
});

test('so they are by a gateway that runs its source, and loads it file by file', (t) => {
  return assertAnswers(t, true);
});
