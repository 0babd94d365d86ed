// A 202 is a promise: the write is safe before it is given.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { migrate } from '../../db/operator/database/migrate.ts';
import { startEmbedded } from '../../db/operator/database/start-embedded.ts';
import { constants } from '../../db/runtime/constants.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createClient } from '../support/http.ts';
import { openDatabase, plant, restaurantOf } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { holdPostgres } from './outages/postgres.ts';

const CRASHES = 5;

const folder = await mkdtemp(join(tmpdir(), 'lavagna-accepted-'));
await chmod(folder, 0o755);
const embedded = await startEmbedded({ dataDir: folder, role: 'call' });
await migrate(embedded.url);
const db = await openDatabase(embedded.url);
const token = await issueToken(db, await plant(db, restaurantOf('promise', [])));
await db.end();
const postgres = holdPostgres(embedded.url, join(folder, 'postgres'));
const gateway = await startTestGateway(embedded.url, {}, constants);
after(async () => {
  await gateway.stop();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a write that was answered with 202 outlives a Postgres that is killed the moment after', async () => {
  const admin = createAdminClient(createClient(gateway.port, 'promise.localhost'), token);
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
  const kept = await runSql(embedded.url, 'select id from writes');
  const ids = new Set(kept.map(({ id }) => id));
  assert.deepEqual(
    promised.filter((id) => !ids.has(id)),
    [],
  );
});

test('a write that Postgres has lost is not promised', async () => {
  const admin = createAdminClient(createClient(gateway.port, 'promise.localhost'), token);
  const key = { 'Idempotency-Key': 'perduta' };
  await runSql(
    embedded.url,
    `create function lose() returns trigger language plpgsql as $$ begin
       delete from writes where id = new.id;
       return null;
     end $$`,
  );
  // When its transaction commits, the row is gone.
  await runSql(
    embedded.url,
    `create constraint trigger lose after insert on writes deferrable initially deferred
       for each row when (new.idempotency_key = 'perduta') execute function lose()`,
  );
  assert.equal((await admin.call('PUT', '/settings', { name: 'Perduta' }, key)).status, 503);
});
