import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { freePort } from '../../bench/stage/free-port.ts';
import { readConfig } from '../../db/process/config.ts';
import type { ProcessConfig } from '../../db/process/run-process.ts';
import type { Running } from '../../db/process/running.ts';
import { startWorker } from '../../workers/worker.ts';
import { runSql } from './sql.ts';

const drainBoundMs = 60_000;

/** A worker in the test's own process. */
export async function startTestWorker(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const config = readConfig({
    OPS_PORT: String(await freePort()),
    LOG_LEVEL: 'silent',
    ...env,
    DATABASE_URL: databaseUrl,
  });
  return startWorker(config as ProcessConfig, pino({ level: config.logLevel }));
}

/** Resolves when a queue has nothing left that a worker could still take. */
export async function queueIsDrained(databaseUrl: string, queue: string): Promise<void> {
  const bound = Date.now() + drainBoundMs;
  for (;;) {
    const [{ left }] = await runSql(
      databaseUrl,
      `select count(*) as left from pgboss.job where name = $1 and state < 'completed'`,
      [queue],
    );
    if (left === 0) return;
    if (Date.now() > bound) throw new Error(`${left} jobs are left in ${queue}`);
    await sleep(20);
  }
}
