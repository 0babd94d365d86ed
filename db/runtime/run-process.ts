import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { assertMigrated } from '../migrations/migrate.ts';
import { assertConstants } from './assert-constants.ts';
import { type Config, readConfig } from './config.ts';
import type { Constants } from './constants.ts';
import { createFaultLog } from './fault-log.ts';
import { OperatorError } from './operator-error.ts';
import { operatorMessage } from './operator-message.ts';
import type { RunningProcess } from './running.ts';
import { stopOnSignal } from './stop-signals.ts';
import { withTimeout } from './with-timeout.ts';

/** What a process needs to know: the configuration, with a database for certain. */
export type ProcessConfig = Config & { databaseUrl: string };

async function stopAndTell(
  running: RunningProcess,
  log: Logger,
  constants: Constants,
): Promise<void> {
  running.retire?.();
  log.info('stopping');
  if (running.retire) await sleep(constants.farewell);
  const stopped = running.stop().then(() => true);
  if (await withTimeout(constants.stopTimeout + constants.stopReserve, stopped, () => false)) {
    log.info('stopped');
  } else {
    // What has not ended by now waits for a Postgres that is silent: its part is rolled back.
    log.error('did not stop in time; what is left is cut off');
    process.exitCode = 1;
  }
  setTimeout(() => process.exit(), constants.answerGrace).unref();
}

/**
 * Runs one process of the Procfile until a signal asks it to end. What an operator can mend ends it
 * with one sentence and exit code 1.
 */
export async function runProcess(
  name: string,
  start: (config: ProcessConfig, log: Logger, constants: Constants) => Promise<RunningProcess>,
  constants: Constants,
): Promise<void> {
  try {
    assertConstants(constants);
    const config = readConfig(process.env);
    const { databaseUrl } = config;
    if (databaseUrl === undefined) {
      throw new OperatorError(
        `DATABASE_URL must be set for a single ${name}; npm start brings its own database.`,
      );
    }
    await assertMigrated(databaseUrl);
    const log = createFaultLog({ name, level: config.logLevel, databaseUrl, constants });
    const running = await start({ ...config, databaseUrl }, log, constants);
    stopOnSignal(() => stopAndTell(running, log, constants));
    log.info('started');
  } catch (error) {
    // What nobody can mend, with all that is known.
    console.error(operatorMessage(error) ?? error);
    process.exit(1);
  }
}
