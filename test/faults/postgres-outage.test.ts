// Postgres goes away under load, in each of the ways in which servers do.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { migrate } from '../../db/operator/database/migrate.ts';
import { startEmbedded } from '../../db/operator/database/start-embedded.ts';
import { issueToken } from '../support/admin.ts';
import { createClient } from '../support/http.ts';
import { assertJournal } from '../support/judge-journal.ts';
import { openDatabase, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { startFormation } from './outages/formation.ts';
import { type OutageReport, outage, PATHS } from './outages/outage.ts';
import { holdPostgres, type Mishap } from './outages/postgres.ts';

const AWAY_MS = 2_000;

const folder = await mkdtemp(join(tmpdir(), 'lavagna-outage-'));
await chmod(folder, 0o755);
// An answered write must survive the server's end.
const embedded = await startEmbedded({ dataDir: folder, role: 'call' });
await migrate(embedded.url);
const db = await openDatabase(embedded.url);
const tenantId = await plant(db, restaurantOf('steady', [sectionOf('Primi')]));
const token = await issueToken(db, tenantId);
await db.end();
const [section] = await runSql(embedded.url, 'select id from sections');
const restaurant = { host: 'steady.localhost', token, sectionId: section.id };
const postgres = holdPostgres(embedded.url, join(folder, 'postgres'));
const formation = await startFormation({ databaseUrl: embedded.url, gateways: 1, workers: 1 });
const client = createClient(formation.port, restaurant.host);
for (const path of PATHS) {
  await until(`${path} is not served`, async () => (await client.get(path)).status === 200);
}
after(async () => {
  await formation.stop();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
});

function assertKept({ reads, cold, writes, kept, events, counted, log }: OutageReport): void {
  assert.equal(reads.lost, 0, reads.firstFailure);
  assert.deepEqual(reads.refused, {}, reads.firstFailure);
  assert.ok(reads.good > 0);

  assert.deepEqual(Object.keys(cold.statuses), ['503']);
  assert.equal(cold.silent + writes.silent + events.silent, 0, 'a refusal without Retry-After');
  assert.deepEqual([...writes.strange, ...events.strange], []);
  assert.deepEqual([...writes.unanswered, ...events.unanswered], []);

  assert.deepEqual(kept, { missing: 0, doubled: 0 });
  assert.ok(counted >= events.promised.length);

  // Each process says once that it is away and once that it is back; a gateway also what it does then,
  // unless it was the same Postgres all the time.
  const lines = log.map((line) => JSON.parse(line) as { name: string; msg: string });
  // The queue's library warns once in a worker's life that a statement of its own failed.
  const told = lines.filter(({ msg }) => msg !== 'the queue reports a warning');
  assert.ok(lines.length - told.length <= 1, log.join('\n'));
  const ofGateway = told.filter(({ name }) => name === 'gateway').map(({ msg }) => msg);
  assert.deepEqual(
    ofGateway.filter((message) => !message.startsWith('Postgres has started anew')),
    ['Postgres cannot be reached or takes no work', 'Postgres is back'],
  );
  assert.ok(told.length <= 5, log.join('\n'));
}

/** How often Postgres goes away in each way. */
const ROUNDS = Number(process.env.KILLS ?? 1);
const mishaps = ['kill', 'stop', 'freeze'] as const satisfies Mishap[];

for (const mishap of Array.from({ length: ROUNDS }, () => mishaps).flat()) {
  test(`${mishap}: memory serves on, the rest is refused in time, and nothing promised is lost`, async () => {
    assertKept(await outage(postgres, formation, restaurant, mishap, AWAY_MS));
    await assertJournal(embedded.url);
  });
}
