import { freePort } from '../../bench/processes/free-port.ts';
import type { ProcessConfig } from '../../db/runtime/config.ts';
import { readConfig } from '../../db/runtime/config.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { startWorker } from '../../workers/worker.ts';
import { assertNoSecrets, collectLog } from './collected-log.ts';
import { forFile } from './for-file.ts';
import { workerPatience } from './patience.ts';
import { runSql } from './sql.ts';
import { until } from './until.ts';

/** A worker in the test's own process. */
export interface TestWorker extends Running {
  /** As that of `collectLog`. */
  checkLog(): void;
}

/**
 * A worker in the test's own process; `changed` replaces some of its constants. Its stop asserts that its
 * log holds no secret.
 */
export async function startTestWorker(
  databaseUrl: string,
  env: Record<string, string> = {},
  changed: Partial<Constants> = {},
): Promise<TestWorker> {
  const config = readConfig({
    OPS_PORT: String(await freePort()),
    ...env,
    DATABASE_URL: databaseUrl,
  });
  const { log, lines, check } = collectLog();
  const worker = await startWorker(config as ProcessConfig, log, {
    ...constants,
    ...workerPatience,
    ...changed,
  });
  const stopping = stopOnce(async () => {
    await worker.stop();
    assertNoSecrets(lines);
  });
  return { checkLog: check, ...stopping };
}

/** The same, stopped with the tests of the file. */
export const testWorker = forFile(startTestWorker);

/** Resolves when a queue has nothing left that a worker could still take. */
export async function queueIsDrained(databaseUrl: string, queue: string): Promise<void> {
  const left = `select from pgboss.job where name = $1 and state < 'completed' limit 1`;
  await until(`jobs are left in ${queue}`, async () => {
    return (await runSql(databaseUrl, left, [queue])).length === 0;
  });
}
