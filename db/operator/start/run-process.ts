import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { operatorMessage } from '../../postgres/outage.ts';
import { createOutageWatch } from '../../postgres/outage-watch.ts';
import { assertReachable } from '../../postgres/pg-client.ts';
import { assertConstants } from '../../runtime/assert-constants.ts';
import { type ProcessConfig, readConfig } from '../../runtime/config.ts';
import type { Constants } from '../../runtime/constants.ts';
import { collectGarbage } from '../../runtime/garbage.ts';
import { createLog } from '../../runtime/log.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type RunningProcess, stopOnSignal, withTimeout } from '../../runtime/running.ts';
import { assertMigrated } from '../database/migrate.ts';

async function stopAndTell(running: RunningProcess, log: Logger, constants: Constants) {
  await running.retire?.();
  log.info('stopping');
  if (running.retire) await sleep(constants.drainTime);
  const stopped = running.stop().then(() => true);
  if (await withTimeout(constants.stopTimeout + constants.stopReserve, stopped, () => false)) {
    log.info('stopped');
  } else {
    // The rest waits for a Postgres that does not answer; it will be rolled back.
    log.error('did not stop in time; what is left is cut off');
    process.exitCode = 1;
  }
  setTimeout(() => process.exit(), constants.answerGrace).unref();
}

/** @param beforeReady to be done when everything is there, before the first request or job is taken */
type StartProcess = (
  config: ProcessConfig,
  log: Logger,
  constants: Constants,
  beforeReady: () => Promise<void>,
) => Promise<RunningProcess>;

/** @throws {OperatorError} when the database cannot be used as it is */
async function assertUsable(databaseUrl: string, databaseSessionUrl: string): Promise<void> {
  await assertReachable(databaseUrl, databaseSessionUrl);
  await assertMigrated(databaseSessionUrl);
}

/**
 * Runs one process of the Procfile until a signal asks it to end. An error that an operator can repair
 * is printed as one sentence, with exit code 1.
 *
 * @param load loads the process's code, which takes most of a start, while the database is looked at
 */
export async function runProcess(
  name: string,
  load: () => Promise<StartProcess>,
  constants: Constants,
) {
  try {
    assertConstants(constants);
    const config = readConfig(process.env);
    const { databaseUrl, databaseSessionUrl } = config;
    if (databaseUrl === undefined || databaseSessionUrl === undefined) {
      throw new OperatorError(
        `DATABASE_URL must be set for a single ${name}; npm start brings its own database.`,
      );
    }
    const [start] = await Promise.all([load(), assertUsable(databaseUrl, databaseSessionUrl)]);
    const outages = createOutageWatch(new Set([databaseUrl, databaseSessionUrl]), constants);
    const log = createLog({ name, level: config.logLevel, outages, constants });
    const whole = { ...config, databaseUrl, databaseSessionUrl };
    const running = await start(whole, log, constants, collectGarbage);
    stopOnSignal(() => stopAndTell(running, log, constants), ['SIGINT', 'SIGTERM']);
    // A process that has nothing to read anew goes on.
    process.on('SIGHUP', () => running.reload?.());
    log.info('started');
  } catch (error) {
    // An error without advice is printed with its stack.
    console.error(operatorMessage(error) ?? error);
    process.exit(1);
  }
}
