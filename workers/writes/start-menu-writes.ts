import type { Logger } from 'pino';
import { createDatabaseSession } from '../../db/postgres/session.ts';
import type { Db } from '../../db/postgres/sql.ts';
import type { QueueNotices } from '../../db/queue/boss.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { parseSentWrites, sentWritesChannel } from '../../db/schema/notices.ts';
import { takeLead } from '../../db/sql/transactions.ts';
import { findLateTenants } from '../../db/sql/waiting-tenants.ts';
import { startRounds } from '../housekeeping/rounds.ts';
import { type SettleContext, settleWrites } from './settle-writes.ts';
import { sendForgottenJobs, takeWriteJobs } from './take-jobs.ts';
import { createTenantTurns } from './tenant-turns.ts';

interface MenuWritesOptions extends SettleContext {
  databaseUrl: string;
  db: Db;
  notices: QueueNotices;
  log: Logger;
  constants: Constants;
}

interface MenuWrites extends Running {
  /** Whether this worker is the one of all that hears of writes and jobs. */
  leads(): boolean;
}

/**
 * Does the writes of the admin API: for each tenant in the order in which they were sent, for
 * several tenants at the same time. One worker leads: it hears of writes and does them at once, so a
 * turn serves many tenants, and a menu is in the memory of one worker. All workers look for late
 * writes: the leader has too much to do, has died, or has lost a notice. Writes that have failed are
 * done when the queue hands out the tenant's job. `stop` waits for the turns under way; the queue's
 * work ends with the queue.
 */
export async function startMenuWrites(options: MenuWritesOptions): Promise<MenuWrites> {
  const { databaseUrl, db, boss, notices, menus, log, constants } = options;
  const turns = createTenantTurns({
    take: (tenantIds, isAlone) => settleWrites(options, { tenantIds, isAlone }),
    log,
    constants,
  });
  const workId = await takeWriteJobs({ db, boss, turns, log, constants });
  const listener = createDatabaseSession({
    databaseUrl,
    name: 'lavagna listener',
    statementTimeout: constants.readStatementTimeout,
    channels: {
      ...notices.channels,
      [sentWritesChannel]: (payload) => turns.announce(parseSentWrites(payload)),
    },
    onOpen: () => {
      // After a failover a transaction's number, by which menus are remembered, may be given again.
      menus.clear();
      boss.notifyWorker(workId);
      notices.wake();
      // Its predecessor may have heard of writes and not done them.
      if (!listener.hears()) return;
      doLate(0).catch((error) => log.warn({ err: error }, 'the look for waiting writes failed'));
    },
    mayHear: takeLead,
    log,
    constants,
  });
  const limit = constants.tenantsPerTurn;
  const doLate = async (age: number) => {
    let after = 0;
    while (listener.isOpen()) {
      const late = await findLateTenants(db, { age, after, limit });
      turns.onLate(late);
      if (late.length < limit) return;
      after = late.at(-1) ?? 0;
      // Others may be faster, and there may be more than this worker can do.
      await turns.whenFree();
    }
  };
  const late = startRounds({
    what: 'the look for late writes',
    interval: constants.lateWritesInterval,
    firstAfter: constants.lateWriteAge,
    round: () => doLate(constants.lateWriteAge),
    log,
  });
  const search = startRounds({
    what: 'the search for forgotten writes',
    interval: constants.forgottenWritesInterval,
    firstAfter: constants.firstRoundAfter,
    round: () => sendForgottenJobs(db, boss, constants),
    log,
  });
  const stopping = stopOnce(async () => {
    await Promise.all([listener.stop(), late.stop(), search.stop(), turns.stop()]);
  });
  return { ...stopping, leads: listener.hears };
}
