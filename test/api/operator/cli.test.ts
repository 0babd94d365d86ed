import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProgress } from '../../../db/operator/cli/run-command.ts';
import { hashTokenPlain } from '../../../db/schema/token.ts';
import { callCli } from '../../support/cli.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { each } from '../../support/each.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { startProcess } from '../../support/process.ts';

const PASSWORD = 'un segreto lungo';
const database = await ownDatabase();

const cli = (...args: string[]) => callCli(args, { DATABASE_URL: database.url });

/** The JSON document of a call that succeeds; one that asks for a password gets one. */
async function json(...args: string[]) {
  const { stdout } = (await callCli(args, { DATABASE_URL: database.url }, PASSWORD)).ends(0);
  return JSON.parse(stdout);
}

const query = (text: string, values: unknown[] = []) => database.sql(text, values);

/** A tenant of the test's own with one user. */
async function makeTenant(slug: string): Promise<void> {
  await json('tenant', 'create', slug, '--name', `Osteria ${slug}`);
  await json('user', 'create', '--tenant', slug, '--email', 'a@b.it');
}

/** The arguments that make a token of the user of `makeTenant`, up to its scopes. */
const tokenOf = (slug: string, name = 'Till') =>
  ['token', 'create', '--tenant', slug, '--user', 'a@b.it', '--name', name].concat('--scopes');

test('tenant create makes a tenant whose empty menu can be served at once', async () => {
  const tenant = await json('tenant', 'create', 'Alla-Pergola', '--name', 'Alla Pergola');
  assert.deepEqual(tenant, {
    ...{ id: tenant.id, slug: 'alla-pergola', name: 'Alla Pergola', default_locale: 'it' },
    panel: 'http://alla-pergola.localhost:8080/admin',
  });
  assert.ok((await query('select from snapshots where tenant_id = $1', [tenant.id])).length > 0);
});

test('tenant create takes the default locale', async () => {
  const tenant = await json('tenant', 'create', 'stube', '--name', 'Stube', '--locale', 'de');
  assert.equal(tenant.default_locale, 'de');
});

test('a slug that is taken is one sentence and exit code 1', async () => {
  await json('tenant', 'create', 'taken', '--name', 'A');
  const { code, stdout, stderr } = await cli('tenant', 'create', 'taken', '--name', 'B');
  assert.deepEqual([code, stdout, stderr], [1, '', 'The slug taken is taken.\n']);
});

test('tenant list names every tenant in the order of creation', async () => {
  await json('tenant', 'create', 'first', '--name', 'First');
  await json('tenant', 'create', 'second', '--name', 'Second');
  const slugs = each(await json('tenant', 'list'), 'slug');
  assert.ok(slugs.indexOf('first') < slugs.indexOf('second'));
});

test('what a terminal would obey is spelled in what is printed, which is the same JSON', async () => {
  await json('tenant', 'create', 'colorita', '--name', 'C');
  const name = 'a\u009b31m \u007f \u202eetso \u2066\u200f 👩‍👩‍👧 è';
  await database.sql`update settings set name = ${name}
    where tenant_id = (select id from tenants where slug = 'colorita')`;
  const { stdout } = await cli('tenant', 'list');
  assert.doesNotMatch(stdout, /[\u007f-\u009f\u200f\u202e\u2066]/);
  assert.ok(stdout.includes('👩‍👩‍👧 è'));
  const listed: { slug: string; name: string }[] = JSON.parse(stdout);
  assert.equal(listed.find(({ slug }) => slug === 'colorita')?.name, name);
});

test('token create shows the value once and stores a hash of its plain part', async () => {
  await makeTenant('tokens');
  const created = await json(...tokenOf('tokens'), 'menu:write,analytics:read');
  assert.match(created.token, /^\d+\|[A-Za-z0-9]{40}$/);
  assert.equal(created.token.split('|')[0], String(created.id));
  assert.deepEqual(created.scopes, ['menu:write', 'analytics:read']);
  const [stored] = await query('select name, scopes, hash from tokens where id = $1', [created.id]);
  const hash = hashTokenPlain(created.token.split('|')[1]);
  assert.deepEqual(stored, { name: 'Till', scopes: ['menu:write', 'analytics:read'], hash });
});

test('token create leaves a tenant with a hundred active tokens, as the panel does', async () => {
  await makeTenant('full');
  await query(`insert into tokens (tenant_id, user_id, name, scopes, hash)
    select tenant_id, id, 'n' || n, array['menu:read'], '\\x00' from users, generate_series(1, 99) as n
    where tenant_id = (select id from tenants where slug = 'full')`);
  const create = [...tokenOf('full'), 'menu:read'];
  const { id } = await json(...create);
  const { code, stdout, stderr } = await cli(...create);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^The tenant full has 100 active tokens already: revoke one [^\n]*\n$/);
  await json('token', 'revoke', '--tenant', 'full', '--id', String(id));
  await json(...create);
});

test('token revoke is final and limited to the tenant', async () => {
  await makeTenant('revoke');
  await makeTenant('stranger');
  const { id } = await json(...tokenOf('revoke'), 'menu:read');
  assert.equal((await cli('token', 'revoke', '--tenant', 'stranger', '--id', String(id))).code, 1);
  const revoked = await json('token', 'revoke', '--tenant', 'revoke', '--id', String(id));
  assert.deepEqual(revoked, { id, tenant: 'revoke', revoked: true });
  const again = (await cli('token', 'revoke', '--tenant', 'revoke', '--id', String(id))).ends(1);
  assert.equal(again.stderr, `The tenant revoke has no active token ${id}.\n`);
});

test('user delete takes the tokens of the user along', async () => {
  await makeTenant('leaving');
  const { id } = await json(...tokenOf('leaving'), 'menu:read');
  await json('user', 'delete', '--tenant', 'leaving', '--email', 'a@b.it');
  assert.deepEqual(await query('select from tokens where id = $1', [id]), []);
});

test('migrate on a migrated database applies nothing', async () => {
  assert.deepEqual(await json('migrate'), { applied: [] });
});

test('demo plants the demo restaurants and generated ones, once', async () => {
  const first = await json('demo', '--tenants', '2');
  assert.equal(first.planted, 4);
  assert.deepEqual(each(first.logins, 'slug'), ['trattoria', 'pizzeria']);
  assert.deepEqual(await json('demo', '--tenants', '2'), { planted: 0, logins: [] });
});

const bad: [what: string, args: string[], complaint: RegExp][] = [
  ['no command', [], /There is no such command/],
  ['an unknown command', ['tenant', 'close'], /There is no such command/],
  ['a missing position', ['tenant', 'create', '--name', 'N'], /<slug> is missing: 1 to 63 letters/],
  ['a missing option', ['tenant', 'create', 'x'], /--name is missing/],
  ['a bad slug', ['tenant', 'create', 'a_b', '--name', 'N'], /<slug> must be/],
  ['a bad locale', ['tenant', 'create', 'x', '--name', 'N', '--locale', 'tlh'], /--locale must be/],
  ['an unknown option', ['tenant', 'list', '--all'], /--all/],
  ['a surplus argument', ['tenant', 'list', 'all'], /"all" is one argument too many/],
  ['a bad address', ['user', 'create', '--tenant', 'x', '--email', 'a'], /--email must be/],
  [
    'an unknown scope',
    ['token', 'create', '--tenant', 'x', '--user', 'a@b.it', '--name', 'N', '--scopes', 'menu:eat'],
    /--scopes must be .*menu:read, menu:write, availability:write, prices:write, analytics:read/,
  ],
  ['a long name', ['tenant', 'create', 'x', '--name', 'N'.repeat(201)], /--name must have at most/],
  ['a name with an escape', ['tenant', 'create', 'x', '--name', 'a\u001b[31m'], /--name must not/],
  ['an unseen name', ['tenant', 'create', 'x', '--name', ' \u200b\u034f'], /--name must not be b/],
  ['a turned name', ['tenant', 'create', 'x', '--name', 'a\u202eb'], /--name must not hold/],
  ['bytes of Latin-1', ['tenant', 'create', 'x', '--name', 'Caff\ufffd'], /--name must be UTF-8/],
  [
    'a long e-mail address',
    [
      ...['user', 'create', '--tenant', 'x'],
      ...['--email', `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}it`],
    ],
    /--email must/,
  ],
  ['a bad id', ['token', 'revoke', '--tenant', 'x', '--id', '0'], /--id must be/],
];

for (const [what, args, complaint] of bad) {
  test(`${what}: usage on stderr and exit code 2`, async () => {
    const { code, stdout, stderr } = await cli(...args);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, complaint);
    assert.match(stderr, /Usage: npm run -s cli -- /);
  });
}

test('an unknown tenant is one sentence and exit code 1', async () => {
  const { code, stderr } = await cli('token', 'revoke', '--tenant', 'nowhere', '--id', '1');
  assert.deepEqual([code, stderr], [1, 'There is no tenant nowhere.\n']);
});

test('--help lists every command, those of a subject, or explains one', async () => {
  const all = (await cli('--help')).ends(0);
  for (const name of ['tenant create', 'user list', 'token list', 'token revoke', 'demo']) {
    assert.ok(all.stdout.includes(name), name);
  }
  const subject = await cli('tenant', '--help');
  assert.ok(subject.stdout.includes('tenant list') && !subject.stdout.includes('token create'));
  const one = await cli('token', 'create', '--help');
  assert.ok(!one.stdout.includes('tenant list'));
  assert.match(
    one.stdout,
    /--scopes: .*menu:read, menu:write, availability:write, prices:write, analytics:read/,
  );
  assert.match(one.stdout, /--tenant: 1 to 63 letters, digits and inner hyphens/);
});

test("a subject without its command is told of the subject's commands", async () => {
  const { stderr } = (await cli('user', 'close')).ends(2);
  assert.ok(stderr.includes('user password') && !stderr.includes('tenant create'));
});

test('token list shows what is kept of each token, the revoked ones last', async () => {
  await makeTenant('listed');
  const first = await json(...tokenOf('listed', 'First'), 'menu:read');
  const second = await json(...tokenOf('listed', 'Second'), 'menu:write');
  await json('token', 'revoke', '--tenant', 'listed', '--id', String(second.id));
  const listed = await json('token', 'list', '--tenant', 'listed');
  assert.deepEqual(each(listed, 'id'), [first.id, second.id]);
  const { created_at, ...shown } = listed[0];
  assert.ok(!Number.isNaN(Date.parse(created_at)));
  assert.deepEqual(shown, {
    ...{ id: first.id, name: 'First', scopes: ['menu:read'], owner: 'a@b.it' },
    ...{ last_used_at: null, revoked_at: null },
  });
  assert.ok(listed[1].revoked_at);
});

test('a bad variable of the environment is named', async () => {
  const { stderr } = (await callCli(['tenant', 'list'], { PORT: 'x' })).ends(1);
  assert.match(stderr, /^PORT must be/);
});

test('commands that need data refuse a folder without them and leave it as it is', async () => {
  const folder = join(tmpdir(), 'lavagna-mistyped', String(process.pid));
  const sentence = `DATA_DIR ${folder} holds no data of Lavagna: name the folder that does, `;
  for (const args of [
    ['tenant', 'list'],
    ['user', 'list', '--tenant', 'x'],
    ['events', 'redrive'],
  ]) {
    const { code, stdout, stderr } = await callCli(args, { DATA_DIR: folder });
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(stderr.startsWith(sentence) && stderr.trimEnd().split('\n').length === 1, stderr);
  }
  const { stdout } = (await callCli(['doctor'], { DATA_DIR: folder })).ends(1);
  assert.ok(stdout.includes(sentence) && stdout.includes('Mend DATA_DIR'), stdout);
  await assert.rejects(access(folder));
});

test('a terminal shows each step of a long work on one line, a log every hundredth, but at most a hundred lines', () => {
  const said: string[] = [];
  const onTerminal = createProgress((text) => said.push(text), true);
  for (const step of [1, 2]) onTerminal.progressOf('planting', step, 2);
  assert.deepEqual(said.splice(0), ['\r\u001b[Kplanting 1 of 2', '\r\u001b[Kplanting 2 of 2\n']);
  const inLog = createProgress((text) => said.push(text), false);
  for (let step = 1; step <= 101; step += 1) inLog.progressOf('planting', step, 101);
  assert.deepEqual(said.splice(0), ['planting 100 of 101\n']);
  for (let step = 0; step <= 50_000; step += 250) inLog.progressOf('planting', step, 50_000);
  assert.equal(said.length, 100);
  assert.equal(said.at(-1), 'planting 50000 of 50000\n');
});

test('a database that has not been migrated is one sentence', async () => {
  const empty = await createEmptyDatabase();
  try {
    const { stderr } = (await callCli(['tenant', 'list'], { DATABASE_URL: empty.url })).ends(1);
    assert.match(
      stderr,
      /^The database lacks the migrations 001_tables\.sql[^\n]*; run the command migrate first\.\n$/,
    );
  } finally {
    await empty.drop();
  }
});

test('the program prints one JSON document and takes its exit code from the command', async () => {
  const env = { DATABASE_URL: database.url };
  const list = startProcess('db/operator/cli/main.ts', { args: ['tenant', 'list'], env });
  const nothing = startProcess('db/operator/cli/main.ts', { args: [], env });
  assert.deepEqual([await list.ended, list.stderr()], [0, '']);
  assert.ok(Array.isArray(JSON.parse(list.stdout())));
  assert.deepEqual([await nothing.ended, nothing.stdout()], [2, '']);
});

test('Ctrl-C ends a long command and leaves its connections closed', async () => {
  const env = { DATABASE_URL: database.url };
  const args = ['demo', '--tenants', '40000'];
  const call = startProcess('db/operator/cli/main.ts', { args, env });
  await call.waitFor(/planting \d+ /);
  process.kill(call.pid, 'SIGINT');
  assert.deepEqual([await call.ended, call.stdout()], [130, '']);
});
