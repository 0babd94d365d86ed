// Many restaurants of a file, quotas, reasons and tokens of operators on the command line.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { callCli } from '../../support/cli.ts';
import { fileFolder } from '../../support/folder.ts';
import { ownDatabase } from '../../support/own-database.ts';

const database = await ownDatabase();
const folder = await fileFolder();

const cli = (...args: string[]) => callCli(args, { DATABASE_URL: database.url });
async function createOf(name: string, text: string) {
  const file = join(folder, name);
  await writeFile(file, text);
  return cli('tenant', 'create', '--file', file);
}

test('tenant create makes all restaurants of a CSV file, and names those that it refused', async () => {
  const { code, stdout, stderr } = await createOf(
    'houses.csv',
    '\ufeffslug,name,locale,email,token,scopes,max_dishes\n' +
      'ape,"Casa Ape, Trieste",it,Ada@ape.example,Cassa,menu:read prices:write,300\n\n' +
      'bue,Bue,de,,,,\nape,Altra,it,,,,\n',
  );
  assert.equal(code, 1, stderr);
  const [ape, bue, taken] = JSON.parse(stdout);
  assert.deepEqual([ape.outcome, bue.outcome, taken.outcome], ['created', 'created', 'failed']);
  assert.equal(ape.name, 'Casa Ape, Trieste');
  assert.match(ape.user.link, /^http:\/\/ape\.localhost:8080\/admin\/link\//);
  assert.match(ape.token.token, /^\d+\|/);
  assert.deepEqual(ape.token.scopes, ['menu:read', 'prices:write']);
  assert.deepEqual([bue.user, bue.token], [null, null]);
  assert.deepEqual(taken.errors, { slug: ['Another one has it already.'] });
  const [row] = await database.sql("select max_dishes from tenants where slug = 'ape'");
  assert.equal(row.max_dishes, 300);
});

test('tenant create takes JSON by line, as the platform’s API takes entries', async () => {
  const line = { slug: 'cane', name: 'Cane', user: { email: 'eva@cane.example' } };
  const { stdout } = (await createOf('houses.jsonl', `${JSON.stringify(line)}\n`)).ends(0);
  assert.equal(JSON.parse(stdout)[0].user.email, 'eva@cane.example');
});

test('a file with a mistake makes nothing, and the sentence names the line', async () => {
  for (const [name, text, sentence] of [
    ['a.csv', 'slug,name\ndodo,Dodo\ne f,Ego\n', /^Line 3, slug: /],
    ['b.csv', 'slug,nome\ndodo,Dodo\n', /^Unknown columns: nome\. There are slug, name/],
    ['c.csv', 'slug,name,token,scopes\ndodo,Dodo,Cassa,menu:read\n', /^Line 2, user: /],
    ['d.csv', 'slug,name,max_dishes\ndodo,Dodo,many\n', /^Line 2, max_dishes: /],
    ['e.csv', 'slug,name\ndodo,"Dodo\n', /e\.csv: /],
    ['f.jsonl', '{"slug": "dodo", "name": "Dodo"}\n{"slug"\n', /^Line 2 is no JSON/],
    ['g.txt', 'dodo', /must end in \.csv or \.jsonl/],
  ] as const) {
    const { code, stderr } = await createOf(name, text);
    assert.equal(code, 1, name);
    assert.match(stderr, sentence);
  }
  const { stderr } = await cli('tenant', 'create', '--file', join(folder, 'nothing.csv'));
  assert.match(stderr, /cannot be read/);
  assert.equal((await database.sql("select from tenants where slug = 'dodo'")).length, 0);
});

test('tenant create without a file still wants a slug and a name', async () => {
  const nothing = (await cli('tenant', 'create')).ends(2);
  assert.match(nothing.stderr, /^<slug> is missing: /);
  const nameless = (await cli('tenant', 'create', 'ego')).ends(2);
  assert.match(nameless.stderr, /^--name is missing: /);
});

test('tenant quota, tenant suspend and platform token do what the platform’s API does', async () => {
  const quota = JSON.parse((await cli('tenant', 'quota', 'bue', '--users', '3')).stdout);
  assert.deepEqual([quota.max_users, quota.max_dishes], [3, null]);
  const none = JSON.parse((await cli('tenant', 'quota', 'bue', '--users', 'none')).stdout);
  assert.equal(none.max_users, null);
  assert.equal((await cli('tenant', 'quota', 'bue', '--users', '0')).code, 2);
  const suspended = await cli('tenant', 'suspend', 'bue', '--reason', 'Paga prima.');
  assert.equal(JSON.parse(suspended.stdout).suspension_reason, 'Paga prima.');
  assert.equal((await cli('tenant', 'resume', 'bue')).code, 0);
  const create = ['platform', 'token', 'create', '--name', 'Shop'];
  const made = JSON.parse((await cli(...create, '--scopes', 'restaurants:read')).stdout);
  assert.match(made.token, /^lvp_\d+_[A-Za-z0-9]{40}$/);
  assert.equal((await cli(...create, '--scopes', 'menu:read')).code, 2);
  assert.equal(JSON.parse((await cli('platform', 'token', 'list')).stdout)[0].name, 'Shop');
  assert.equal((await cli('platform', 'token', 'revoke', '--id', String(made.id))).code, 0);
  assert.equal((await cli('platform', 'token', 'revoke', '--id', String(made.id))).code, 1);
});
