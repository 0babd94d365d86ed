// Traces of sign-ins: hashes that name no person, and rows that go when their time is over.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { countSignInAttempt } from '../../../db/sql/sessions.ts';
import { purgeAccess } from '../../../workers/housekeeping/purge.ts';
import { menuService } from '../../support/menu-service.ts';

const service = await menuService([trattoria]);
const { db, tenantId } = service;

const { sql } = service;
const ADDRESS = '203.0.113.7';
const attempt = (name: string) => countSignInAttempt(db, { tenantId, kind: 'address', name });

test('a hash in sign_in_attempts is not the hash of its address, and is the same each time', async () => {
  await attempt(ADDRESS);
  assert.equal((await attempt(ADDRESS)).count, 2);
  const [{ key }] = await sql('select key from sign_in_attempts');
  assert.notDeepEqual(key, createHash('sha256').update(ADDRESS).digest());
  await sql('update sign_in_secret set secret = default');
  assert.equal((await attempt(ADDRESS)).count, 1, 'another secret, another hash');
});

test('windows of sign-ins go when they are over, also where no user signs in any more', async () => {
  await sql('delete from sign_in_attempts');
  for (const name of ['a', 'b', 'c']) await attempt(name);
  const started = (ago: number, limit: number) =>
    sql`update sign_in_attempts set started_at = now() - make_interval(secs => ${ago})
       where ctid in (select ctid from sign_in_attempts order by started_at desc limit ${limit})`;
  await started(constants.signInWindow / 1_000 + 60, 2);
  await purgeAccess(db, () => true);
  const [{ count }] = await sql('select count(*)::int as count from sign_in_attempts');
  assert.equal(count, 1);
});

test('sessions go when they are over, also those of a restaurant that is left alone', async () => {
  const [{ id: userId }] = await sql(
    `insert into users (tenant_id, email, password_hash) values ($1, 'a@b.it', 'x') returning id`,
    [tenantId],
  );
  const idle = constants.sessionIdleTtl / 1_000;
  const ages = { '\\x01': 0, '\\x02': idle - 60, '\\x03': idle + 60 };
  for (const [hash, ago] of Object.entries(ages)) {
    await sql(
      `insert into sessions (tenant_id, hash, user_id, created_at, used_at)
       select $1, $2::bytea, $3, now() - make_interval(secs => $4), now() - make_interval(secs => $4)`,
      [tenantId, hash, userId, ago],
    );
  }
  await purgeAccess(db, () => true);
  const left = await sql(`select encode(hash, 'hex') as hash from sessions order by hash`);
  assert.deepEqual(left, [{ hash: '01' }, { hash: '02' }]);
});
