// Passwords never stand on a command line: they are typed unseen, or come from standard input.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { before, test } from 'node:test';
import { passwordTrouble, verifyPassword } from '../../../db/actions/password.ts';
import { callCli } from '../../support/cli.ts';
import { each } from '../../support/each.ts';
import { ownDatabase } from '../../support/own-database.ts';

const root = resolve(import.meta.dirname, '../../..');
const SECRET = ' un segreto lungo ';
const database = await ownDatabase();

const cli = (args: string[], input = '') => callCli(args, { DATABASE_URL: database.url }, input);

async function json(args: string[], input = '') {
  const { stdout } = (await cli(args, input)).ends(0);
  return JSON.parse(stdout);
}

before(() => json(['tenant', 'create', 'osteria', '--name', 'Osteria']));

const creation = (email: string) => ['user', 'create', '--tenant', 'osteria', '--email', email];

async function hashOf(email: string): Promise<string> {
  const [user] = await database.sql('select password_hash from users where email = $1', [email]);
  return user.password_hash;
}

const countUsers = async () => (await database.sql('select from users')).length;

test('user create takes the first line of standard input and stores its Argon2id hash', async () => {
  await json(creation('a@b.it'), `${SECRET}\nnot this\n`);
  const hash = await hashOf('a@b.it');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verifyPassword(hash, SECRET), true);
  const again = (await cli(creation('A@B.it'), SECRET)).ends(1);
  assert.equal(again.stderr, 'The tenant osteria has a user a@b.it already.\n');
});

for (const given of [['--password', 'un segreto'], ['--password=un segreto']]) {
  test(`${given[0]} on the command line is refused, and its value is not repeated`, async () => {
    const before = await countUsers();
    const { code, stdout, stderr } = await cli([...creation('c@d.it'), ...given], SECRET);
    assert.deepEqual([code, stdout], [2, '']);
    const sentence = /^A command line shows its passwords [^\n]*first line of standard input\.\n/;
    assert.match(stderr, sentence);
    assert.ok(!stderr.includes('un segreto'));
    assert.equal(await countUsers(), before);
  });
}

const refused: [what: string, input: string, sentence: string][] = [
  ['no password', '', 'There is no password: write it on the first line of standard input.'],
  ['an empty one', '\n', 'The password must have at least 8 characters.'],
  ['seven characters', 'à🍕34567\n', 'The password must have at least 8 characters.'],
  ['a common one', 'Password1\n', 'The password is one of the 1000 commonest; choose another one.'],
  ['a very long one', 'x'.repeat(1_001), 'The password must have at most 1000 characters.'],
];
for (const [what, input, sentence] of refused) {
  test(`user create and user password refuse ${what} with a sentence`, async () => {
    const { code, stdout, stderr } = await cli(creation('e@f.it'), input);
    assert.deepEqual([code, stdout, stderr], [1, '', `${sentence}\n`]);
    const change = await cli(['user', 'password', ...creation('e@f.it').slice(2)], input);
    assert.equal(change.stderr, `${sentence}\n`);
  });
}

test('the demo restaurants have logins with passwords that are allowed', async () => {
  const { logins } = await json(['demo']);
  for (const { password } of logins) assert.equal(await passwordTrouble(password), undefined);
  assert.equal(logins.length, 2);
});

test('user password changes the password, ends the sessions and leaves the tokens', async () => {
  await json(['tenant', 'create', 'forgetful', '--name', 'Forgetful']);
  const of = ['--tenant', 'forgetful', '--email'];
  await json(['user', 'create', ...of, 'f@b.it'], SECRET);
  await json(['user', 'create', ...of, 'g@d.it'], SECRET);
  const token = ['token', 'create', '--tenant', 'forgetful', '--user', 'f@b.it', '--name', 'Till'];
  await json([...token, '--scopes', 'menu:read']);
  await database.sql`insert into sessions (tenant_id, hash, user_id, created_at, used_at)
    select tenant_id, sha256(email::bytea), id, now(), now() from users
    where tenant_id = (select id from tenants where slug = 'forgetful')`;
  await json(['user', 'password', ...of, 'F@b.it'], 'another secret\n');
  const users = await database.sql`select email, password_hash,
      (select count(*)::int from sessions s where s.user_id = u.id) as sessions,
      (select count(*)::int from tokens t where t.user_id = u.id) as tokens
    from users u where tenant_id = (select id from tenants where slug = 'forgetful')
    order by email`;
  const [changed, other] = users;
  assert.deepEqual([changed.sessions, changed.tokens, other.sessions], [0, 1, 1]);
  assert.equal(await verifyPassword(changed.password_hash, 'another secret'), true);
  assert.equal(await verifyPassword(other.password_hash, SECRET), true);
  const listed = await json(['user', 'list', '--tenant', 'forgetful']);
  assert.deepEqual(each(listed, 'email'), ['f@b.it', 'g@d.it']);
  assert.deepEqual(each(listed, 'active_tokens'), [1, 0]);
  const unknown = await cli(['user', 'password', ...of, 'x@y.it'], SECRET);
  assert.equal(unknown.stderr, 'The tenant forgetful has no user x@y.it.\n');
});

/** Runs a command on a terminal of its own; `type` answers each prompt as soon as it is there. */
async function onTerminal(args: string[], type: [prompt: string, answer: string][]) {
  const words = ['node', '--import', 'tsx', 'db/operator/cli/main.ts', ...args];
  const options = ['--quiet', '--return', '--command', words.join(' '), '/dev/null'];
  const env = { ...process.env, DATABASE_URL: database.url };
  const child = spawn('script', options, { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const left = [...type];
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
    const [next] = left;
    if (next === undefined || !shown.includes(next[0])) return;
    left.shift();
    child.stdin.write(next[1]);
  });
  const [code] = await once(child, 'close');
  return { code, shown };
}

test('on a terminal the password is typed twice and not shown', async () => {
  const typed = 'hidden from eyes\r';
  const { code, shown } = await onTerminal(creation('typed@b.it'), [
    ['Password: ', typed],
    ['The same again: ', typed],
  ]);
  assert.equal(code, 0, shown);
  assert.ok(!shown.includes('hidden'), shown);
  assert.equal(await verifyPassword(await hashOf('typed@b.it'), 'hidden from eyes'), true);
});

test('two different passwords change nothing', async () => {
  const { code, shown } = await onTerminal(creation('twice@b.it'), [
    ['Password: ', 'hidden from eyes\r'],
    ['The same again: ', 'hidden from ears\r'],
  ]);
  assert.equal(code, 1);
  assert.match(shown, /The two passwords differ; nothing was changed\./);
});

test('Ctrl-C at the prompt ends the command', async () => {
  const { code, shown } = await onTerminal(creation('gone@b.it'), [['Password: ', '\u0003']]);
  assert.equal(code, 130, shown);
});
