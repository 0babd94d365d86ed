// A few thousand of the requests of bench/fuzz.ts, other ones each time; a failure names its seed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { judgeAnswer } from '../bench/fuzz/judge.ts';
import { runFuzz } from '../bench/fuzz/run.ts';
import { signIn, type World } from '../bench/fuzz/world.ts';
import { trattoria } from '../db/demo/trattoria/index.ts';
import { type AdminService, issueToken, startAdminService } from './support/admin.ts';
import { addUser, EMAIL, PASSWORD } from './support/panel.ts';
import { plant } from './support/restaurant.ts';

const REQUESTS = 1_500;

let service: AdminService;

before(async () => {
  service = await startAdminService();
});
after(() => service.stop());

test('no request is answered by a fault, late, at endless length or out of shape', async (context) => {
  const { db, tenantId, token, gateway } = service;
  await addUser(db, tenantId);
  const world: World = {
    port: gateway.port,
    host: 'osteria.localhost',
    otherHost: 'trattoria.localhost',
    token,
    readToken: await issueToken(db, tenantId, ['menu:read']),
    otherToken: await issueToken(db, await plant(db, trattoria)),
    email: EMAIL,
    password: PASSWORD,
  };
  const session = await signIn(world);
  const seed = Date.now() % 1_000_000;
  context.diagnostic(`seed ${seed}`);
  const judge = judgeAnswer.bind(null, [world.host, world.otherHost]);
  const found = await runFuzz({ world, session, count: REQUESTS, seed, judge });
  assert.deepEqual(found.complaints, [], `seed ${seed}`);
  assert.equal(found.requests, REQUESTS);
  // Valid ones are among them: else the others would not be nearly valid.
  for (const status of [200, 202, 401, 404, 422])
    assert.ok(found.statuses.has(status), `${status}`);
});
