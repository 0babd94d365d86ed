// How often somebody may try to sign in, and what that costs those who read menus.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { hashPassword } from '../../../db/actions/password.ts';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { setPassword } from '../../../db/sql/users.ts';
import { fileFolder } from '../../support/folder.ts';
import type { Response } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { addUser, createVisitor, EMAIL, PASSWORD, type Visitor } from '../../support/panel.ts';
import { untilRead } from '../../support/raw-socket.ts';
import { until } from '../../support/until.ts';

/** Of Node's pool, unless its environment says otherwise. */
const THREADS = 4;

const service = await menuService([trattoria, pizzeria], {
  env: { TRUSTED_PROXIES: '127.0.0.0/8,::1' },
});
await addUser(service.db, service.tenantId);
beforeEach(() => sql('delete from sign_in_attempts'));

const { sql } = service;
const visit = (slug = 'trattoria'): Visitor => createVisitor(service.gateway.client(slug));
const from = (address: string) => ({ 'X-Forwarded-For': address });

/** Opens the page to sign in; its form is sent as often as the function that it returns is called. */
async function openForm(visitor = visit()) {
  await visitor.get('/admin/sign-in');
  return (email: string, password = 'no', headers: Record<string, string> = {}) =>
    visitor.post('/admin/sign-in', { email, password }, headers);
}

test('of 50 wrong passwords ten are looked at, and then the right one is refused as well', async () => {
  const visitor = visit();
  const attempt = await openForm(visitor);
  const statuses: number[] = [];
  for (let i = 0; i < 50; i += 1) statuses.push((await attempt(EMAIL, `no ${i}`)).status);
  assert.deepEqual(statuses, [...Array(10).fill(422), ...Array(40).fill(429)]);
  const right = (await attempt(EMAIL, PASSWORD)).expect(429);
  assert.ok(Number(right.headers['retry-after']) > 0);
  assert.ok(Number(right.headers['retry-after']) <= 900);
  assert.equal((await visitor.get('/admin/api-tokens')).status, 303);
});

test('an unknown account is limited just as one that exists', async () => {
  const attempt = await openForm();
  for (let i = 0; i < 10; i += 1) (await attempt('x@y.it')).expect(422);
  (await attempt('x@y.it')).expect(429);
});

test('attempts made at once are counted one by one', async () => {
  const attempt = await openForm();
  const attempts = Array.from({ length: 18 }, (_, i) => attempt(EMAIL, 'no', from(`192.0.2.${i}`)));
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 422).length, 10);
});

test('one address may fail for thirty accounts, not for more', async () => {
  const attempt = await openForm();
  for (let i = 0; i < 30; i += 1) (await attempt(`u${i}@x.it`)).expect(422);
  (await attempt('last@x.it')).expect(429);
});

test('behind a trusted proxy the address is the one that the proxy names', async () => {
  const send = await openForm();
  const attempt = async (address: string, i: number) =>
    (await send(`p${i}@x.it`, 'no', from(address))).status;
  assert.equal(await attempt('2001:db8::1', 1), 422);
  await sql(`update sign_in_attempts set count = 30 where kind = 'address'`);
  assert.equal(await attempt('2001:db8::ffff', 30), 429, 'one network of one client');
  assert.equal(await attempt('2001:db8:0:1::1', 31), 422);
  assert.equal(await attempt('192.0.2.1', 32), 422);
});

test('a success forgives the account, and the address no more than itself', async () => {
  const visitor = visit();
  for (let i = 0; i < 9; i += 1) await visitor.signIn(EMAIL, 'no');
  assert.equal((await visitor.signIn()).status, 303);
  const counts = await sql('select kind, count from sign_in_attempts');
  assert.deepEqual(counts, [{ kind: 'address', count: 9 }]);
});

test('a success at another restaurant forgives nothing', async () => {
  const [{ id }] = await sql(`select id from tenants where slug = 'pizzeria'`);
  await addUser(service.db, id);
  await visit().signIn(EMAIL, 'no');
  const here = () =>
    sql`
      select kind, count from sign_in_attempts where tenant_id = ${service.tenantId} order by kind`;
  const before = await here();
  assert.equal(before.length, 2);
  assert.equal((await visit('pizzeria').signIn()).status, 303);
  assert.deepEqual(await here(), before);
});

test('attempts are not kept when their fifteen minutes are over', async () => {
  await visit().signIn('x@y.it', 'no');
  await sql(`update sign_in_attempts set started_at = now() - interval '15 minutes'`);
  await visit().signIn(EMAIL, 'no');
  const left = await sql('select kind, count from sign_in_attempts order by kind');
  assert.deepEqual(left, [
    { kind: 'account', count: 1 },
    { kind: 'address', count: 1 },
  ]);
});

test('a visitor who failed too often waits for the rest of fifteen minutes, however often they ask', async () => {
  const visitor = visit();
  await visitor.signIn(EMAIL, 'no');
  await sql('update sign_in_attempts set count = 10');
  const begin = (minutesAgo: number) =>
    sql('update sign_in_attempts set started_at = now() - make_interval(mins => $1)', [minutesAgo]);
  await begin(14);
  const begins = () => sql('select kind, started_at from sign_in_attempts order by kind');
  const before = await begins();
  for (let i = 0; i < 3; i += 1) {
    const refused = (await visitor.signIn()).expect(429);
    const wait = Number(refused.headers['retry-after']);
    assert.ok(wait > 0 && wait <= 60, `${wait} s of the last minute`);
    assert.match(refused.text, /fra un minuto/);
  }
  assert.deepEqual(await begins(), before);
  await begin(15);
  assert.equal((await visitor.signIn()).status, 303);
  // A visitor who is signed in already is not counted.
  const other = visit();
  await other.signIn(EMAIL, 'no');
  await sql('update sign_in_attempts set count = 30');
  assert.equal((await other.signIn()).status, 429);
  // The clock was ahead, and is not any more.
  await begin(-120);
  assert.equal((await other.signIn()).status, 303);
});

test('another password ends a lock-out at once', async () => {
  const visitor = visit();
  for (const email of [EMAIL, 'x@y.it']) await visitor.signIn(email, 'no');
  await sql(`update sign_in_attempts set count = 10 where kind = 'account'`);
  assert.equal((await visitor.signIn()).status, 429);
  const { db, tenantId } = service;
  const passwordHash = await hashPassword(PASSWORD);
  assert.equal(await setPassword(db, { tenantId, email: EMAIL, passwordHash }), true);
  assert.equal((await visitor.signIn()).status, 303);
  assert.equal((await visit().signIn('x@y.it', 'no')).status, 429, 'no other account');
});

test('a client that floods all restaurants with sign-ins keeps no other client out', async () => {
  const signIn = await openForm();
  const floods = await Promise.all(
    ['trattoria', 'pizzeria'].map(async (slug) => {
      const attempt = await openForm(visit(slug));
      return Array.from({ length: 20 }, (_, i) => attempt(`${i}@x.it`, 'no', from('192.0.2.1')));
    }),
  );
  (await signIn(EMAIL, PASSWORD, from('192.0.2.2'))).expect(303);
  await Promise.all(floods.flat());
});

/**
 * Holds the checks of passwords up until `release`. A file that has no writer keeps a thread of
 * Node's pool busy until one comes; these threads check passwords, and the tests' gateway needs them
 * for nothing else.
 */
async function holdPasswordChecks(): Promise<{ release(): Promise<void> }> {
  const folder = await fileFolder();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const readers = Array.from({ length: THREADS }, () => open(pipe, 'r'));
  return {
    release: async () => {
      execFileSync('sh', ['-c', `: > ${pipe}`]);
      for (const reader of readers) await (await reader).close();
    },
  };
}

test('more sign-ins at once than can be served are told to come back', async () => {
  const attempt = await openForm();
  const checks = await holdPasswordChecks();
  const busy: Response[] = [];
  const attempts = Array.from({ length: 60 }, async (_, i) => {
    const answer = await attempt(`flood${i}@x.it`, 'no', from(`192.0.2.${i}`));
    if (answer.status === 503) busy.push(answer);
  });
  await until('none is refused', () => busy.length > 0);
  await checks.release();
  await Promise.all(attempts);
  for (const { headers, text } of busy) {
    assert.equal(headers['retry-after'], '5');
    assert.match(text, /stanno accedendo in troppi/);
  }
});

test('menus are served while passwords are being checked', async () => {
  const attempt = await openForm();
  assert.equal((await service.client.get('/menu')).status, 200);
  const checks = await holdPasswordChecks();
  let checked = 0;
  const attempts = Array.from({ length: 12 }, async (_, i) => {
    await attempt(`slow${i}@x.it`, 'no', from(`192.0.2.${i}`));
    checked += 1;
  });
  await untilRead(service.gateway.port);
  for (let served = 0; served < 10; served += 1) {
    assert.equal((await service.client.get('/menu')).status, 200);
  }
  assert.equal(checked, 0);
  await checks.release();
  await Promise.all(attempts);
});
