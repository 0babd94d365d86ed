// The statements that the pages of the panel send to Postgres.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tapPostgres } from '../../../bench/processes/postgres-tap.ts';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { afterFile } from '../../support/for-file.ts';
import { testGateway } from '../../support/gateway.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { addUser, signedIn } from '../../support/panel.ts';
import { plant } from '../../support/restaurant.ts';

const database = await ownDatabase();
const { db } = database;
let statements: string[] = [];

await addUser(db, await plant(db, trattoria));
const tap = await tapPostgres(database.url, (type, [first, second]) => {
  if (type === 'P') statements.push(second);
  if (type === 'Q') statements.push(first);
});
afterFile(() => tap.stop());
const gateway = await testGateway(tap.url);
const visitor = await signedIn(gateway.client(trattoria.slug));

/** A connection that listens asks from time to time whether Postgres is there. */
const isSignOfLife = (text: string) => text.trim() === 'select';

/** Those that a page sends; what else the gateway does can only add to them. */
async function statementsOf(path: string): Promise<string[]> {
  const reads: string[][] = [];
  for (let read = 0; read < 5; read += 1) {
    statements = [];
    assert.equal((await visitor.get(path)).status, 200);
    reads.push(statements.filter((text) => !isSignOfLife(text)));
  }
  return reads.sort((a, b) => a.length - b.length)[0] ?? [];
}

for (const [path, most] of [
  ['/admin/menu?q=', 4],
  // Six of them list what to choose from: sections, types, wineries, groups of options, dishes, photos.
  ['/admin/menu/items/1', 9],
  ['/admin/import', 2],
  // Three of them begin and end a transaction; the menu is read once.
  ['/admin/statistics', 13],
] as const) {
  test(`${path} sends ${most} statements at most`, async () => {
    const sent = await statementsOf(path);
    assert.ok(sent.length > 1 && sent.length <= most, sent.join('\n'));
  });
}

test('a page stores the use of its session once a minute', async () => {
  const ageAfterVisit = async (seconds: number): Promise<number> => {
    await database.sql`
      update sessions set used_at = now() - make_interval(secs => ${seconds}::int)`;
    assert.equal((await visitor.get('/admin/import')).status, 200);
    const [{ age }] = await database.sql`
      select extract(epoch from now() - used_at)::float8 as age from sessions`;
    return age;
  };
  assert.ok((await ageAfterVisit(20)) >= 20);
  assert.ok((await ageAfterVisit(100)) < 60);
});
