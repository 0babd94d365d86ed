import type pg from 'pg';
import { pino } from 'pino';
import { queues } from '../schema/queues.ts';
import { bossSchema } from '../sql/jobs/boss-table.ts';
import { createBoss } from './boss.ts';
import { createQueues } from './queues.ts';

/** Creates or upgrades pg-boss's schema, and our queues in it. */
export async function installQueues(databaseUrl: string): Promise<void> {
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const boss = createBoss(databaseUrl, { log, migrate: true, max: 1 });
  try {
    await boss.start();
    await createQueues(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The queues that the database lacks: all of them, where only the schema `public` was restored. */
export async function findMissingQueues(client: pg.Client): Promise<string[]> {
  const table = `${bossSchema}.queue`;
  const { rows } = await client.query('select to_regclass($1) is not null as has', [table]);
  const found = rows[0]?.has ? await client.query(`select name from ${table}`) : { rows: [] };
  const present = new Set(found.rows.map(({ name }) => name));
  return Object.values(queues).filter((name) => !present.has(name));
}
