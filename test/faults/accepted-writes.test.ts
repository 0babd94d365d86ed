// A 202 is a promise: the write is safe before it is given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { createAdminClient, plantWithToken } from '../support/admin.ts';
import { each } from '../support/each.ts';
import { testGateway } from '../support/gateway.ts';
import { restaurantOf } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { embeddedPostgres } from './outages/postgres.ts';

const CRASHES = 5;

const postgres = await embeddedPostgres();
const { token } = await plantWithToken(postgres.url, restaurantOf('promise', []));
const gateway = await testGateway(postgres.url, {}, constants);
const admin = createAdminClient(gateway.client('promise'), token);

test('a write that was answered with 202 outlives a Postgres that is killed the moment after', async () => {
  const send = (body: unknown) => admin.call('PUT', '/settings', body, { Prefer: 'respond-async' });
  const promised: string[] = [];
  for (let crash = 0; crash < CRASHES; crash += 1) {
    for (let isSent = false; !isSent; ) {
      const reply = await send({ name: `Promessa ${crash}` });
      isSent = reply.status === 202;
      // It may not have noticed yet that Postgres is back.
      if (isSent) promised.push(reply.json.data.id);
      else assert.equal(reply.status, 503);
    }
    await postgres.suffer('kill');
    await postgres.recover('kill');
  }
  const kept = await runSql(postgres.url, 'select id from writes');
  const ids = new Set(each(kept, 'id'));
  for (const id of promised) assert.ok(ids.has(id), `${id} is lost`);
});

test('a write that Postgres has lost is not promised', async () => {
  const key = { 'Idempotency-Key': 'perduta' };
  await runSql(
    postgres.url,
    `create function lose() returns trigger language plpgsql as $$ begin
       delete from writes where id = new.id;
       return null;
     end $$`,
  );
  // When its transaction commits, the row is gone.
  await runSql(
    postgres.url,
    `create constraint trigger lose after insert on writes deferrable initially deferred
       for each row when (new.idempotency_key = 'perduta') execute function lose()`,
  );
  assert.equal((await admin.call('PUT', '/settings', { name: 'Perduta' }, key)).status, 503);
});
