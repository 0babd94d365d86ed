import { randomUUID } from 'node:crypto';
import type { Database } from '../../postgres/connection.ts';
import { createPgClient, type PgClient } from '../../postgres/pg-client.ts';
import type { Db } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { rootCause } from '../../runtime/operator-error.ts';
import { withTimeout } from '../../runtime/running.ts';
import { queues } from '../../schema/queues.ts';
import { findFaultyWrites, findQueueStates } from '../../sql/jobs.ts';
import { hasWorker, listenTo, notify } from '../../sql/server.ts';
import { findOutdatedTenants } from '../../sql/snapshots.ts';
import { bad, type Check, doubtful, good } from './check.ts';

/** For how long a job may wait for a worker, in seconds. */
const PATIENCE = 30;

/** @param missing the queues that are not there */
export async function checkQueues(db: Database, missing: readonly string[]): Promise<Check> {
  if (missing.length > 0) {
    return bad('queues', `Missing: ${missing.join(', ')}.`, 'Run the command migrate.');
  }
  const states = await findQueueStates(db);
  const failed = states.find(({ name }) => name === queues.analyticsEventsFailed)?.waiting ?? 0;
  if (failed > 0) {
    const found = `${failed} jobs of events have failed for good.`;
    return bad('queues', found, 'Mend what the log says, then run the command events redrive.');
  }
  const late = states.filter(({ oldest }) => oldest > PATIENCE);
  if (late.length === 0) {
    const waiting = states.reduce((sum, state) => sum + state.waiting, 0);
    return good('queues', `All are there; ${waiting} jobs wait.`);
  }
  const found = late.map(
    ({ name, waiting, oldest }) => `${waiting} in ${name}, the oldest for ${Math.round(oldest)} s`,
  );
  return bad('queues', `Jobs wait: ${found.join('; ')}.`, 'Start a worker, or read its log.');
}

export async function checkWorkers(db: Db): Promise<Check> {
  if (await hasWorker(db)) return good('workers', 'A worker runs.');
  const found = 'No worker runs: writes and events wait.';
  return doubtful('workers', found, 'Start one: npm run worker, or npm start for all processes.');
}

/** The queue keeps of an error all that it has, as JSON. */
function messageOf(error: string | null): string {
  if (error === null) return 'an error that was not kept';
  try {
    return rootCause(JSON.parse(error))?.message ?? error;
  } catch {
    return error;
  }
}

/** A write that ended in an unexpected error was answered 500, and is not tried again. */
export async function checkWrites(db: Database): Promise<Check> {
  const { count, error } = await findFaultyWrites(db);
  if (count === 0) return good('writes', 'None was given up in the last day.');
  const found = `${count} writes were given up in the last day, the last because of: `;
  const advice = 'Their rows in the table writes hold the input and the whole error.';
  return doubtful('writes', `${found}${messageOf(error)}.`, advice);
}

/** A worker rebuilds what is outdated; until then such a restaurant has no menu. */
export async function checkSnapshots(db: Database): Promise<Check> {
  const [first] = await findOutdatedTenants(db, 0, 1);
  if (first === undefined) {
    return good('snapshots', 'Every restaurant has one of the present format.');
  }
  const found = 'Some restaurants have none of the present format.';
  return bad('snapshots', found, 'Start a worker: it rebuilds them.');
}

/**
 * Whether a notification arrives: without, gateways learn late of changes.
 *
 * @param listener a session
 * @param databaseUrl through which the notification is sent
 */
export async function checkListen(listener: PgClient, databaseUrl: string): Promise<Check> {
  const channel = `lavagna_doctor_${randomUUID().replaceAll('-', '')}`;
  await using sender = createPgClient(databaseUrl, {});
  await sender.client.connect();
  await listenTo(listener.db, channel);
  const arrival = new Promise<boolean>((resolve) => {
    listener.client.on('notification', (notice) => {
      if (notice.channel === channel) resolve(true);
    });
  });
  const sent = performance.now();
  await notify(sender.db, channel);
  if (await withTimeout(constants.doctorTimeout, arrival, () => false)) {
    return good('listen', `A notice took ${Math.ceil(performance.now() - sent)} ms.`);
  }
  return bad(
    'listen',
    `A notice did not arrive within ${constants.doctorTimeout} ms.`,
    'LISTEN needs a session: name Postgres itself in DATABASE_SESSION_URL, as DEPLOY shows.',
  );
}

/** Whether there is anything to serve. */
export function checkTenants(slugs: readonly string[]): Check {
  if (slugs.length > 0) return good('tenants', `The first restaurant is ${slugs[0]}.`);
  return doubtful('tenants', 'There is no restaurant.', 'Run the command tenant create, or demo.');
}
