// Postgres goes away under load, in each of the ways in which servers do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantWithToken } from '../support/admin.ts';
import { afterFile } from '../support/for-file.ts';
import { createClient } from '../support/http.ts';
import { assertJournal } from '../support/judge-journal.ts';
import { restaurantOf, sectionOf } from '../support/restaurant.ts';
import { untilStatus } from '../support/until.ts';
import { startFormation } from './outages/formation.ts';
import { type OutageReport, outage, PATHS } from './outages/outage.ts';
import { embeddedPostgres, type Mishap } from './outages/postgres.ts';

const AWAY_MS = 2_000;

const postgres = await embeddedPostgres();
const { url: databaseUrl } = postgres;
const planted = await plantWithToken(databaseUrl, restaurantOf('steady', [sectionOf('Primi')]));
const restaurant = { host: 'steady.localhost', ...planted };
const formation = await startFormation({ databaseUrl, gateways: 1, workers: 1 });
afterFile(() => formation.stop());
const client = createClient(formation.port, restaurant.host);
for (const path of PATHS) {
  await untilStatus(`${path} is not served`, 200, () => client.get(path));
}

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
  const away = ofGateway.filter((message) => !message.startsWith('Postgres has started anew'));
  assert.deepEqual(away, ['Postgres cannot be reached or takes no work', 'Postgres is back']);
  assert.ok(told.length <= 5, log.join('\n'));
}

/** How often Postgres goes away in each way. */
const ROUNDS = Number(process.env.KILLS ?? 1);
const mishaps = ['kill', 'stop', 'freeze'] as const satisfies Mishap[];

for (const mishap of Array.from({ length: ROUNDS }, () => mishaps).flat()) {
  test(`${mishap}: memory serves on, the rest is refused in time, and nothing promised is lost`, async () => {
    assertKept(await outage(postgres, formation, restaurant, mishap, AWAY_MS));
    await assertJournal(databaseUrl);
  });
}
