import type { Logger } from 'pino';
import { createDatabaseSession } from '../../db/postgres/session.ts';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { parseSentWrites, sentWritesChannel } from '../../db/schema/notices.ts';
import { takeLead } from '../../db/sql/transactions.ts';
import { findLateTenants } from '../../db/sql/writes.ts';
import { startRounds } from '../housekeeping/rounds.ts';
import { createClaims } from './claims.ts';
import { type SettleContext, settleWrites } from './settle-writes.ts';
import { sendForgottenJobs, takeWriteJobs } from './take-jobs.ts';
import { createTenantTurns } from './tenant-turns.ts';

interface MenuWritesOptions extends SettleContext {
  databaseUrl: string;
  db: Db;
  log: Logger;
  constants: Constants;
}

/**
 * Does the writes of the admin API: for each tenant in the order in which they were sent, for
 * several tenants at the same time. Announced writes are done at once; those whose notice was
 * lost, and those that have failed, when the queue hands out the tenant's job. `stop` waits for the
 * turns under way; the queue's work ends with the queue.
 */
export async function startMenuWrites(options: MenuWritesOptions): Promise<Running> {
  const { databaseUrl, db, boss, menus, log, constants } = options;
  let hasLead = false;
  const leads = () => hasLead && listener.isOpen();
  const turns = createTenantTurns({
    take: (tenantIds, isAlone) => settleWrites(options, { tenantIds, isAlone }),
    claims: createClaims({ leads, now: () => performance.now(), constants }),
    findLate: (tenantIds) => findLateTenants(db, tenantIds, constants.lateWriteAge),
    log,
    constants,
  });
  const workId = await takeWriteJobs({ db, boss, turns, log, constants });
  const listener = createDatabaseSession({
    databaseUrl,
    name: 'lavagna listener',
    statementTimeout: constants.readStatementTimeout,
    channels: { [sentWritesChannel]: (payload) => turns.announce(parseSentWrites(payload)) },
    onOpen: () => {
      // After a failover a transaction's number, by which menus are remembered, may be given again.
      menus.clear();
      boss.notifyWorker(workId);
    },
    beat: async (session) => {
      hasLead = await takeLead(session);
    },
    log,
    constants,
  });
  const search = startRounds({
    what: 'the search for forgotten writes',
    interval: constants.forgottenWritesInterval,
    firstAfter: constants.firstRoundAfter,
    round: () => sendForgottenJobs(db, boss, constants),
    log,
  });
  return stopOnce(async () => {
    await Promise.all([listener.stop(), search.stop()]);
    await turns.stop();
  });
}
