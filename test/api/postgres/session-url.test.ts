// With DATABASE_SESSION_URL, a pooler in transaction mode may stand at DATABASE_URL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PostgresTap, tapPostgres } from '../../../bench/processes/postgres-tap.ts';
import type { Running } from '../../../db/runtime/running.ts';
import { queues } from '../../../db/schema/queues.ts';
import { createAdminClient, issueToken, smallRestaurant } from '../../support/admin.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant } from '../../support/restaurant.ts';
import { queueIsDrained, startTestWorker } from '../../support/worker.ts';

/** Statements that need a session, so that a pooler in transaction mode cannot serve them. */
interface SessionUse extends PostgresTap {
  /** How many statements were sent. */
  statements(): number;
  /** Statements that were prepared under a name, and those that change the session. */
  found(): readonly string[];
}

/** A statement outside of this list may still be the first of a transaction. */
const OF_SESSIONS =
  /^\s*(listen|unlisten|set (?!transaction|local)|prepare|declare|discard)|pg_(try_)?advisory_lock/i;

/** Starts a proxy to the database of `url` that collects such statements. */
async function watchSessionUse(url: string): Promise<SessionUse> {
  const found: string[] = [];
  let statements = 0;
  const note = (text: string, name: string) => {
    statements += 1;
    if (name !== '' || OF_SESSIONS.test(text)) found.push(text);
  };
  const tap = await tapPostgres(url, (type, [first, second]) => {
    if (type === 'P') note(second, first);
    if (type === 'Q') note(first, '');
  });
  return { ...tap, statements: () => statements, found: () => found };
}

const database = await ownDatabase();
const token = await issueToken(database.db, await plant(database.db, smallRestaurant));
const opened: { stop(): Promise<void> }[] = [];

async function open<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  opened.push(started);
  return started;
}

/** Reads, writes and sends events, with a gateway and a worker that have this environment. */
async function use(databaseUrl: string, env: Record<string, string>): Promise<void> {
  const gateway = await open<TestGateway>(startTestGateway(databaseUrl, env));
  await open<Running>(startTestWorker(databaseUrl, env));
  const client = gateway.client(smallRestaurant.slug);
  const admin = createAdminClient(client, token);
  assert.equal((await client.get('/menu')).status, 200);
  (await admin.call('PUT', '/settings', { name: `Osteria ${databaseUrl.length}` })).expect(200);
  const later = { Prefer: 'respond-async' };
  assert.equal((await admin.call('PUT', '/settings', { name: 'Osteria' }, later)).status, 202);
  assert.equal((await client.sendEvents([{ type: 'menu_view' }])).status, 202);
  await queueIsDrained(database.url, queues.menuWrites);
  await queueIsDrained(database.url, queues.analyticsEvents);
  assert.equal((await admin.get('/analytics/overview')).status, 200);
}

/** The statements that pass DATABASE_URL, where `env` holds the rest of the environment. */
async function watchUse(env: Record<string, string>): Promise<SessionUse> {
  try {
    const watched = await open(watchSessionUse(database.url));
    await use(watched.url, env);
    return watched;
  } finally {
    for (const one of opened.splice(0).reverse()) await one.stop();
  }
}

test('with DATABASE_SESSION_URL, nothing at DATABASE_URL needs a session', async () => {
  const pooled = await watchUse({ DATABASE_SESSION_URL: database.url });
  assert.deepEqual(pooled.found(), []);
  assert.ok(pooled.statements() > 5, String(pooled.statements()));
});

test('without it, all that needs a session is at DATABASE_URL', async () => {
  const found = (await watchUse({})).found().join('\n');
  for (const part of [/^listen /m, /find_tokens|api_tokens|tokens/, /limit_windows/, /pgboss/]) {
    assert.match(found, part);
  }
});
