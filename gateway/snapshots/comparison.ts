import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { findVersions } from '../../db/sql/snapshots/find-versions.ts';
import { type HeldSnapshots, markStale } from './held-snapshots.ts';
import { createHistory } from './history.ts';
import type { Tenant } from './loaded-snapshot.ts';
import { heldStage, highestStage, stageOf } from './stage.ts';

/** Compares what is held with the database. */
export interface Comparison {
  /** Compares everything, in one statement; whoever begins meanwhile gets another comparison. */
  begin(): void;
  /** Whether something is to be compared still: what is held may be of another database. */
  isOpen(): boolean;
  /**
   * Resolves when nothing is trusted that the database may have lost by now.
   *
   * @throws Error when Postgres does not answer
   */
  confirm(): Promise<void>;
  stop(): void;
}

export interface ComparisonOptions {
  held: HeldSnapshots;
  /** The primary. */
  db: Db;
  log: Logger;
  constants: Constants;
}

/** What comes of comparing. */
export interface Findings {
  /** The tenant has come further in the database. */
  onStale(tenant: Tenant, stage: number): void;
  /** What was read until now may be of a past that the database has lost. */
  onNewPast(): void;
  /** There is nothing left to compare. */
  onEnd(): void;
}

/**
 * Held tenants that are further in the database. Those that it has no more are forgotten, and what it
 * has never had, being further than itself, is not trusted.
 */
async function findStale(held: HeldSnapshots, db: Db): Promise<Map<Tenant, number>> {
  const stages = new Map(Array.from(held.tenants(), (tenant) => [tenant, highestStage(tenant)]));
  const ids = Array.from(stages.keys(), ({ id }) => id);
  const versions = await findVersions(db, ids);
  const stale = new Map<Tenant, number>();
  for (const [tenant, stageBefore] of stages) {
    const present = versions.get(tenant.id);
    if (present?.slug !== tenant.slug) {
      held.forgetTenant(tenant);
      continue;
    }
    if (stageBefore > stageOf(present)) markStale([tenant]);
    if (heldStage(tenant) < stageOf(present)) stale.set(tenant, stageOf(present));
  }
  return stale;
}

/** Without a pause: an address may lead to one database now, and to another then. */
const MOST_ROUNDS = 5;

export function createComparison(
  { held, db, log, constants }: ComparisonOptions,
  { onStale, onNewPast, onEnd }: Findings,
): Comparison {
  let isDue = false;
  let isRunning = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  const startOver = () => {
    markStale(held.tenants());
    onNewPast();
    begin();
  };
  const askForPast = createHistory(db, log, startOver, constants);
  const compare = async () => {
    isDue = false;
    const found = await findStale(held, db);
    await askForPast();
    // To a new past, whoever has found it, these do not belong.
    if (isDue) return;
    for (const [tenant, stage] of found) onStale(tenant, stage);
  };
  const run = async () => {
    isRunning = true;
    try {
      for (let round = 0; isDue && !stopped && round < MOST_ROUNDS; round += 1) await compare();
    } catch (error) {
      isDue = true;
      log.warn({ err: error }, 'could not compare the versions of the menus; will retry');
    }
    isRunning = false;
    if (!isDue) onEnd();
    else if (!stopped) retry = setTimeout(runAgain, constants.retryDelay);
  };
  const runAgain = () => {
    retry = undefined;
    void run();
  };
  const begin = () => {
    isDue = true;
    if (!isRunning && !retry && !stopped) void run();
  };

  // Whoever puts another database in the place of this one need not end our connections to it.
  const watch = setInterval(() => {
    askForPast().catch((error) => log.debug({ err: error }, 'the past could not be asked for'));
  }, constants.pastInterval).unref();

  return {
    begin,
    isOpen: () => isDue || isRunning,
    confirm: askForPast,
    stop: () => {
      stopped = true;
      clearTimeout(retry);
      clearInterval(watch);
    },
  };
}
