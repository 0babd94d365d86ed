// A few thousand of the requests of fuzz/main.ts, other ones each time; a failure names its seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { adminService, issueToken } from '../support/admin.ts';
import { checkAnswer } from '../support/contract.ts';
import { asResponse } from '../support/http.ts';
import { addUser, EMAIL, PASSWORD } from '../support/panel.ts';
import { plant } from '../support/restaurant.ts';
import { seed } from '../support/seed.ts';
import type { FuzzAnswer, FuzzRequest } from './fuzz/exchange.ts';
import { judgeAnswer } from './fuzz/judge.ts';
import { runFuzz } from './fuzz/run.ts';
import { signIn, type World } from './fuzz/world.ts';

const REQUESTS = 1_500;

// On a busy machine writes wait for the worker, and none is refused for their number.
const service = await adminService({ constants: { maxWaitingWrites: REQUESTS } });

/** The part of an answer that the API's document does not know, or null. */
function judgeByDocument(
  hosts: readonly string[],
  { method, path, headers: sent }: FuzzRequest,
  { status, headers, body }: FuzzAnswer,
): string | null {
  if (!path.startsWith('/api/') || !hosts.includes(sent.Host ?? '')) return null;
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  try {
    checkAnswer(method, path, asResponse(status, Object.fromEntries(entries), body));
    return null;
  } catch (error) {
    return String(error);
  }
}

test('no request is answered by a fault, late, at endless length or out of shape', async (context) => {
  const { db, tenantId, token, gateway } = service;
  await addUser(db, tenantId);
  const world: World = {
    ...{ port: gateway.port, host: 'osteria.localhost', otherHost: 'trattoria.localhost' },
    ...{ token, email: EMAIL, password: PASSWORD },
    readToken: await issueToken(db, tenantId, ['menu:read']),
    otherToken: await issueToken(db, await plant(db, trattoria)),
  };
  const session = await signIn(world);
  context.diagnostic(`seed ${seed}`);
  const hosts = [world.host, world.otherHost];
  const judge = (request: FuzzRequest, answer: FuzzAnswer) =>
    judgeAnswer(hosts, request, answer) ?? judgeByDocument(hosts, request, answer);
  const found = await runFuzz({ world, session, count: REQUESTS, seed, judge });
  assert.deepEqual(found.complaints, [], `seed ${seed}`);
  assert.equal(found.requests, REQUESTS);
  // Valid ones are among them: else the others would not be nearly valid.
  for (const status of [200, 202, 401, 404, 422])
    assert.ok(found.statuses.has(status), `${status}`);
});
