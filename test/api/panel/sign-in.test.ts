import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import pg from 'pg';
import { hashPassword } from '../../../db/actions/password.ts';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { createSession } from '../../../db/sql/sessions.ts';
import { setPassword } from '../../../db/sql/users.ts';
import { menuService } from '../../support/menu-service.ts';
import {
  addUser,
  createVisitor,
  EMAIL,
  PASSWORD,
  signedIn,
  type Visitor,
} from '../../support/panel.ts';
import { untilFound } from '../../support/until.ts';

const WAITS = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

const { databaseUrl, db, gateway, ...service } = await menuService([trattoria, pizzeria]);
for (const at of [0, 1]) await addUser(db, service.tenantId + at);
beforeEach(() => service.sql('delete from sign_in_attempts'));

const visit = (slug = 'trattoria'): Visitor => createVisitor(gateway.client(slug));
const enter = (email?: string): Promise<Visitor> => signedIn(service.client, email);

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  const { status, headers } = await visitor.get('/admin/api-tokens');
  if (status === 200) return true;
  assert.equal(status, 303);
  assert.match(headers.location ?? '', /^\/admin\/sign-in/);
  return false;
}

test('the right password leads into the panel, and signing out ends it', async () => {
  const visitor = visit();
  assert.equal(await isSignedIn(visitor), false);
  const answer = await visitor.signIn();
  assert.deepEqual([answer.status, answer.headers.location], [303, '/admin']);
  assert.equal(await isSignedIn(visitor), true);
  const { cookie } = visitor;
  const out = await visitor.post('/admin/sign-out', {});
  assert.equal(out.headers.location, '/admin/sign-in?because=signed-out');
  assert.equal(await isSignedIn(visitor), false);
  visitor.cookie = cookie;
  assert.equal(await isSignedIn(visitor), false, 'the old cookie is worth nothing');
});

test('a forged sign-out leaves the session as it is, and says so', async () => {
  const visitor = await enter();
  for (const origin of ['https://evil.example', `http://pizzeria.localhost:${gateway.port}`]) {
    const out = (await visitor.post('/admin/sign-out', {}, { Origin: origin })).expect(403);
    out.shows(/Non sei uscito dal pannello[\s\S]*premi «Esci»/);
    assert.match(out.text, /action="\/admin\/sign-out"/, 'and how to do it');
    assert.equal(await isSignedIn(visitor), true);
  }
});

test('signing out in a tab of an earlier session ends the present one', async () => {
  const visitor = await enter();
  const stale = await visitor.get('/admin/api-tokens');
  await visitor.post('/admin/sign-out', {});
  await visitor.signIn();
  const { cookie } = visitor;
  visitor.page = stale;
  const out = await visitor.post('/admin/sign-out', {});
  assert.equal(out.headers.location, '/admin/sign-in?because=signed-out');
  visitor.cookie = cookie;
  assert.equal(await isSignedIn(visitor), false);
});

test('signing in in a tab when another one has done so leads into the panel', async () => {
  const visitor = visit();
  const stale = await visitor.get('/admin/sign-in');
  await visitor.signIn();
  const { cookie } = visitor;
  visitor.page = stale;
  const answer = await visitor.post('/admin/sign-in', { email: EMAIL, password: PASSWORD });
  assert.deepEqual([answer.status, answer.headers.location], [303, '/admin']);
  assert.equal(visitor.cookie, cookie);
  assert.equal(await isSignedIn(visitor), true);
  visitor.page = stale;
  const another = await visitor.post('/admin/sign-in', { email: 'lia@x.it', password: PASSWORD });
  assert.equal(another.status, 403, 'no other account gets the session');
});

test('the address may be typed in any case, with spaces around it', async () => {
  const visitor = await enter(` ${EMAIL.toUpperCase()} `);
  assert.equal(await isSignedIn(visitor), true);
});

test('a wrong password and an unknown user get the same answer', async () => {
  const wrong = await visit().signIn(EMAIL, 'no');
  const unknown = (await visit().signIn('nessuno@trattoria.example', 'no')).expect(wrong.status);
  assert.equal(wrong.status, 422);
  const anonymous = (text: string) =>
    text.replaceAll(/name="form_token" value="[^"]*"/g, '').replaceAll(/[\w]+@[\w.]+/g, '');
  assert.equal(anonymous(unknown.text), anonymous(wrong.text));
  wrong.shows(/E-mail o password non corretti/);
  assert.ok(!wrong.text.includes('value="no"'), 'the password does not come back');
});

test('empty fields come back with their errors and what was typed', async () => {
  const { text } = (await visit().signIn('a@b.it', '')).expect(422);
  assert.match(text, /id="password-error">Scrivi la password\.</);
  assert.match(text, /id="password"[^>]*aria-describedby="password-error"[^>]*aria-invalid="true"/);
  assert.match(text, /value="a@b\.it"/);
});

test('an account is one, however its name is spelt', async () => {
  const visitor = visit();
  await visitor.get('/admin/sign-in');
  const spelt = EMAIL.replace('i', 'İ');
  assert.notEqual(spelt, EMAIL);
  const right = await visitor.post('/admin/sign-in', { email: spelt, password: PASSWORD });
  assert.equal(right.status, 422, 'its attempts would be counted apart');
});

test('a session of one restaurant is nothing at another', async () => {
  const visitor = await enter();
  const thief = visit('pizzeria');
  thief.cookie = visitor.cookie;
  assert.equal(await isSignedIn(thief), false);
  assert.equal(await isSignedIn(visitor), true);
});

test('a cookie that somebody planted before sign-in does not become a session', async () => {
  const attacker = visit();
  await attacker.get('/admin/sign-in');
  const planted = attacker.cookie;
  const victim = visit();
  victim.cookie = planted;
  await victim.signIn();
  assert.notEqual(victim.cookie, planted);
  assert.equal(await isSignedIn(victim), true);
  attacker.cookie = planted;
  assert.equal(await isSignedIn(attacker), false);
});

test('no part of a cookie tells anything of another', async () => {
  const cookies = [await visit().get('/admin/sign-in'), await visit().get('/admin/sign-in')].map(
    ({ headers }) => {
      const [, value = ''] = /^lavagna=([\w-]+);/.exec(headers['set-cookie'] ?? '') ?? [];
      return Buffer.from(value, 'base64url');
    },
  );
  const quarters = cookies.flatMap((bytes) =>
    [0, 8, 16, 24].map((start) => bytes.toString('hex', start, start + 8)),
  );
  assert.equal(new Set(quarters).size, 8, quarters.join(' '));
});

test('other cookies do not hide the panel’s, however many there are', async () => {
  const visitor = await enter();
  const { cookie } = visitor;
  for (const around of [`a=1; ${cookie}; b=2`, `${';'.repeat(3_000)}${cookie}`, `${cookie};x`]) {
    visitor.cookie = around;
    assert.equal(await isSignedIn(visitor), true);
  }
  for (const none of [`x${cookie}`, `${cookie}x`, `a=${cookie}`]) {
    visitor.cookie = none;
    assert.equal(await isSignedIn(visitor), false);
  }
});

test('signing in again ends the session that the browser had', async () => {
  const visitor = await enter();
  const first = visitor.cookie;
  visitor.page = await visitor.get('/admin/api-tokens');
  await visitor.post('/admin/sign-in', { email: EMAIL, password: PASSWORD });
  assert.notEqual(visitor.cookie, first);
  const other = visit();
  other.cookie = first;
  assert.equal(await isSignedIn(other), false);
});

for (const [what, column, age] of [
  ['two hours after its last use', 'used_at', '2 hours'],
  ['twelve hours after its begin, used or not', 'created_at', '12 hours'],
]) {
  test(`a session ends ${what}`, async () => {
    const visitor = await enter();
    const before = `update sessions set ${column} = ${column} - interval '${age}'`;
    await service.sql(`${before} + interval '1 minute'`);
    assert.equal(await isSignedIn(visitor), true, 'a minute before');
    await service.sql(`update sessions set ${column} = now() - interval '${age}'`);
    assert.equal(await isSignedIn(visitor), false);
  });
}

test('a session that is used goes on, and one that is over is not kept', async () => {
  await service.sql('delete from sessions');
  const visitor = await enter();
  for (let i = 0; i < 2; i += 1) {
    await service.sql(`update sessions set used_at = used_at - interval '90 minutes'`);
    assert.equal(await isSignedIn(visitor), true);
  }
  await service.sql(`update sessions set used_at = used_at - interval '2 hours'`);
  await visit().signIn();
  assert.equal((await service.sql('select from sessions')).length, 1);
});

test('a session that was begun before the clock was set back is over', async () => {
  const visitor = await enter();
  await service.sql(`update sessions set created_at = now() + interval '30 days'`);
  assert.equal(await isSignedIn(visitor), false);
});

test('a user who is deleted is signed out at once', async () => {
  const [{ tenant_id: tenantId }] = await service.sql('select tenant_id from users limit 1');
  await addUser(db, tenantId, 'short@trattoria.example');
  const visitor = await enter('short@trattoria.example');
  assert.equal(await isSignedIn(visitor), true);
  await service.sql(`delete from users where email = 'short@trattoria.example'`);
  assert.equal(await isSignedIn(visitor), false);
});

test('a password that changes while it is checked opens no session', async () => {
  const change = new pg.Client({ connectionString: databaseUrl });
  await change.connect();
  await change.query('begin');
  await change.query(`update users set password_hash = 'andere' where email = $1`, [EMAIL]);
  const visitor = visit();
  const signingIn = visitor.signIn();
  await untilFound('no session waits', () => service.sql(WAITS));
  await change.query('commit');
  assert.equal((await signingIn).status, 422);
  assert.equal(await isSignedIn(visitor), false);
  await service.sql`
    update users set password_hash = ${await hashPassword(PASSWORD)} where email = ${EMAIL}`;
  await change.end();
});

test('a password that is changed during a sign-in ends its session, too', async () => {
  const [user] = await service.sql('select * from users where email = $1 limit 1', [EMAIL]);
  const tenantId = user.tenant_id;
  const hash = Buffer.alloc(32, 7);
  const session = { tenantId, userId: user.id, passwordHash: user.password_hash, device: '', hash };
  let changing: Promise<boolean> | undefined;
  await db.transaction(async (tx) => {
    assert.equal(await createSession(tx, session), true);
    changing = setPassword(db, { tenantId, email: EMAIL, passwordHash: user.password_hash });
    await untilFound('no change waits', () => service.sql(WAITS));
  });
  assert.equal(await changing, true);
  assert.equal((await service.sql('select from sessions where hash = $1', [hash])).length, 0);
});

test('a form without its token, or from elsewhere, is refused', async () => {
  const visitor = visit();
  const fields = { email: EMAIL, password: PASSWORD };
  await visitor.get('/admin/sign-in');
  const host = `trattoria.localhost:${gateway.port}`;
  const attempts: [Record<string, string>, Record<string, string>][] = [
    [{ form_token: '' }, {}],
    [{ form_token: 'x'.repeat(43) }, {}],
    [{}, { Origin: 'https://evil.example' }],
    [{}, { Origin: 'null' }],
    [{}, { Origin: `http://pizzeria.localhost:${gateway.port}` }],
    [{}, { 'Sec-Fetch-Site': 'cross-site' }],
    [{}, { 'Sec-Fetch-Site': 'same-site' }],
  ];
  for (const [forged, headers] of attempts) {
    const { status } = await visitor.post('/admin/sign-in', { ...fields, ...forged }, headers);
    assert.equal(status, 403, JSON.stringify([forged, headers]));
  }
  await visitor.get('/admin/sign-in');
  const own = { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
  assert.equal((await visitor.post('/admin/sign-in', fields, own)).status, 303);
});

test('behind TLS the cookie is bound to the host and never sent in the clear', async () => {
  const plain = await visit().get('/admin/sign-in');
  assert.match(
    plain.headers['set-cookie'] ?? '',
    /^lavagna=[\w-]{43}; Path=\/admin; HttpOnly; SameSite=Lax$/,
  );
  const visitor = visit();
  const secure = await visitor.get('/admin/sign-in', { 'X-Forwarded-Proto': 'https' });
  assert.match(
    secure.headers['set-cookie'] ?? '',
    /^__Host-lavagna=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
  );
  visitor.cookie = visitor.cookie.replace('__Host-', '');
  const tossed = await visitor.get('/admin/sign-in', { 'X-Forwarded-Proto': 'https' });
  assert.ok(tossed.headers['set-cookie'], 'one that another host could have set does not count');
});

test('pages are strict about what runs in them and are stored by no cache', async () => {
  const { headers } = await visit().get('/admin/sign-in');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  assert.equal(headers['x-ratelimit-limit'], undefined);
});

test('what is no form of ours changes nothing and is answered clearly', async () => {
  const visitor = visit();
  (await visitor.submit('/admin/sign-in', {}, { 'Content-Type': 'application/json' })).expect(415);
  (await visitor.post('/admin/sign-in', { email: 'x'.repeat(20_000) })).expect(413);
  (await visitor.post('/admin/sign-in', { email: 'x'.repeat(2_000_000) })).expect(413);
  (await visitor.signIn('\u0000\r\na@b.it\u0000x', '\u0000')).expect(422);
  const put = await gateway.client('trattoria').send('/admin/sign-in', { method: 'PUT', body: '' });
  assert.deepEqual([put.status, put.headers.allow], [405, 'GET, POST, HEAD']);
  (await visitor.get('/admin/nowhere')).expect(404);
});

test('a restaurant that does not exist has no panel', async () => {
  (await visit('nessuno').get('/admin/sign-in')).expect(404).shows(/Qui non c’è nessun menù/);
});

test('stylesheets are kept for good under the address that pages give them', async () => {
  const visitor = visit();
  const { text } = await visitor.get('/admin/sign-in');
  const urls = Array.from(
    text.matchAll(/(?:href|src)="(\/admin\/\S+\?v=[^"]+)"/g),
    ([, url]) => url,
  );
  assert.equal(urls.length, 5);
  for (const url of urls) {
    const { headers } = (await visitor.get(url ?? '')).expect(200);
    assert.match(headers['cache-control'] ?? '', /immutable/);
    const known = { 'If-None-Match': headers.etag ?? '' };
    (await gateway.client('trattoria').send(url ?? '', { headers: known })).expect(304);
    const other = await visitor.get((url ?? '').replace(/v=.*/, 'v=old'));
    assert.equal(other.headers['cache-control'], 'no-cache');
  }
});
