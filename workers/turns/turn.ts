import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import {
  type BuiltVersions,
  type Entered,
  makeVersion,
  type NewVersion,
  saveVersions,
} from '../../db/menu/new-version.ts';
import type { KnownMenus } from '../../db/menu/working-menu.ts';
import { type Db, pipelined, runAhead } from '../../db/postgres/sql.ts';
import { inQueueTransaction, sendInJob } from '../../db/queue/boss.ts';
import { dueJobId, endJobs, SLOW } from '../../db/queue/restaurant-jobs.ts';
import { insertWrites } from '../../db/queue/send-writes.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { rootCause } from '../../db/runtime/operator-error.ts';
import type { RestaurantJob } from '../../db/schema/queues.ts';
import { isSlow, type NewWrite, type Write } from '../../db/schema/write.ts';
import { foreseeNextChanges } from '../../db/sql/clock.ts';
import { findLargeMenus, isLargeMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { findUnchecked } from '../../db/sql/releases.ts';
import { type LockedTenant, lockTenants } from '../../db/sql/tenants.ts';
import { type FinishedWrite, saveResultsStatement, takeWrites } from '../../db/sql/writes.ts';
import { checkReleases } from '../releases/check-releases.ts';
import type { DocumentBounds } from '../writes/apply-document.ts';
import { doDueChanges } from './due-changes.ts';
import { hasFailedTooOften } from './failures.ts';
import { type Opening, readOpenings } from './read-menu.ts';
import { chooseWrites, doWrites, giveUp } from './waiting-writes.ts';

export type Job = JobWithMetadata<RestaurantJob>;

export interface TurnContext {
  boss: PgBoss;
  menus: KnownMenus;
  /** Is told of restaurants that have webhooks when their new versions are committed. */
  onVersions(tenantIds: readonly number[]): void;
  log: Logger;
  constants: DocumentBounds &
    Pick<Constants, 'maxWritesPerRebuild' | 'writesPerTurn' | 'maxWaitingWrites' | 'resultHours'>;
}

/** A restaurant in a turn. */
interface Guest {
  job: Job;
  tenant: LockedTenant;
  /** Its first writes without a result, in their order. */
  waiting: readonly Write[];
}

/** The results of a turn for a restaurant, not yet stored. */
interface Outcome extends Guest {
  /** Null when nothing was to do. */
  menu: StoredMenu | null;
  /** Null when the menu is as before. */
  next: NewVersion | null;
  results: readonly FinishedWrite[];
  isDueDone: boolean;
  /** The priority with which the job goes back into the queue; null when it is done. */
  again: number | null;
  /** Writes of other restaurants that follow from it. */
  toSend: readonly NewWrite[];
}

const isDueJob = ({ id, data }: Job) => id === dueJobId(data.tenant_id);

function nothingDone(guest: Guest, again: number | null): Outcome {
  const nothing = { menu: null, next: null, results: [], isDueDone: false, toSend: [] };
  return { ...guest, ...nothing, again };
}

/** Those of restaurants that have large menus. */
async function findLarge({ menus }: TurnContext, tx: Db, ids: readonly number[]) {
  const isKnownLarge = (id: number) => {
    const known = menus.get(id);
    return known !== undefined && isLargeMenu(known.menu);
  };
  const large = ids.filter(isKnownLarge);
  const unknown = ids.filter((id) => !menus.has(id));
  return unknown.length > 0 ? [...large, ...(await findLargeMenus(tx, unknown))] : large;
}

/** The priority with which a job goes back, when its write is yet to be done; else null. */
function againOf(
  { job, waiting }: Guest,
  done: readonly Write[],
  { maxWritesPerRebuild }: TurnContext['constants'],
): number | null {
  if (done.some(({ id }) => id === job.id)) return null;
  const isWaiting = waiting.some(({ id }) => id === job.id);
  const mayWait = waiting.length >= maxWritesPerRebuild && !isDueJob(job);
  return isWaiting || mayWait ? job.priority : null;
}

/** Whether a restaurant has, or may have, more writes that wait. */
function isUnfinished(
  { waiting, results }: Outcome,
  { maxWritesPerRebuild }: TurnContext['constants'],
): boolean {
  return results.length < waiting.length || waiting.length >= maxWritesPerRebuild;
}

/** A due change may be the one that fails: it does not hold up a write that is tried again. */
function isDueFor({ job, tenant: { next_change_at: since, locked_at: at } }: Guest): boolean {
  return since !== null && since <= at && (job.retryCount === 0 || isDueJob(job));
}

/**
 * Does the due changes of a locked restaurant, then its writes, as one version; nothing of the version
 * is stored yet. A job that has failed before does its first write alone.
 */
async function serve(
  { log, constants }: TurnContext,
  tx: Db,
  guest: Guest,
  { menu, built, following, open }: Opening,
): Promise<Outcome> {
  const { job, tenant, waiting } = guest;
  const isAgain = job.retryCount > 0;
  const isDue = isDueFor(guest);
  const { following: _former, ...own } = menu;
  const before: StoredMenu = following ? { ...own, following } : own;

  const unchanged: Entered = { menu: before, entries: [] };
  const due = isDue ? await doDueChanges(tx, tenant, before, open) : unchanged;
  const chosen = isAgain ? waiting.slice(0, 1) : chooseWrites(waiting);
  // A slow write may name the version that it has seen.
  const isPutOff = due.entries.length > 0 && chosen[0] !== undefined && isSlow(chosen[0]);
  const writes = isPutOff || (isAgain && isDueJob(job)) ? [] : chosen;
  const [first] = writes;
  const isLost = first !== undefined && hasFailedTooOften(job);
  const done = isLost ? giveUp(first, due.menu) : await doWrites(tx, writes, due.menu, constants);
  if (isLost) {
    const lastFailure = rootCause(job.output)?.message;
    const names = { tenantId: tenant.id, writeId: first.id, lastFailure };
    log.error(names, 'a write is given up; its result is 500');
  }
  const entries = [...due.entries, ...done.entries];
  const next = entries.length > 0 ? await makeVersion(tenant, done.menu, entries, built) : null;
  const { version } = next?.menu ?? tenant;
  const error = isLost ? JSON.stringify(job.output) : null;
  const results = done.applied.map(({ recordId, outcome }, at): FinishedWrite => {
    const { id, resource } = writes[at] as Write;
    return { id, resource, record_id: recordId, outcome, version, error };
  });
  return {
    ...{ ...guest, next, results, isDueDone: isDue },
    menu: next?.menu ?? done.menu,
    again: againOf(guest, writes, constants),
    toSend: [...(due.toSend ?? []), ...(done.toSend ?? [])],
  };
}

/**
 * Does the turns of restaurants. The statements of all go over one connection, none of them waiting
 * for those of another restaurant.
 *
 * @param isPutOff whether a turn takes so long that no other may wait for it
 */
async function doAll(
  context: TurnContext,
  tx: Db,
  present: readonly Guest[],
  isPutOff: (guest: Guest) => boolean,
): Promise<Outcome[]> {
  const hasWork = (guest: Guest) => isDueFor(guest) || guest.waiting.length > 0;
  const taken = present.filter((guest) => !isPutOff(guest) && hasWork(guest));
  const due = taken.filter(isDueFor).map(({ tenant }) => tenant.id);
  const tenants = taken.map(({ tenant }) => tenant);
  const openings = await readOpenings(tx, context.menus, tenants, due);
  return pipelined(
    ...present.map(async (guest) => {
      const opening = openings.get(guest.tenant.id);
      if (opening) return serve(context, tx, guest, opening);
      return nothingDone(guest, isPutOff(guest) ? SLOW : null);
    }),
  );
}

/** Stores what restaurants came to. */
async function storeAll(tx: Db, outcomes: readonly Outcome[]): Promise<BuiltVersions> {
  const built = await saveVersions(
    tx,
    outcomes.flatMap(({ next }) => next ?? []),
  );
  const finished = outcomes.flatMap(({ tenant, results }) =>
    results.length > 0 ? [{ tenantId: tenant.id, results }] : [],
  );
  if (finished.length > 0) await tx.run(saveResultsStatement(finished));
  const due = outcomes.flatMap(({ tenant, isDueDone }) => (isDueDone ? [tenant] : []));
  if (due.length > 0) await tx.run(foreseeNextChanges(due));
  return built;
}

/** Looks whether releases still fit: a new version lets those that wait be checked again. */
async function check(tx: Db, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const found = await findUnchecked(
    tx,
    outcomes.map(({ tenant }) => tenant.id),
  );
  const unchecked = groupBy(found, (one) => one.tenant_id);
  await pipelined(
    ...outcomes.map(async ({ tenant, menu }) => {
      const own = unchecked.get(tenant.id);
      if (own) await checkReleases(tx, tenant, menu, own);
    }),
  );
}

/** Keeps the new menus of restaurants that write at present; others would take their room. */
function remember({ menus }: TurnContext, outcomes: readonly Outcome[], all: BuiltVersions): void {
  for (const { tenant, next, results } of outcomes) {
    const built = next && all.get(next);
    if (!built) continue;
    // When the transaction does not commit, no menu has its stamp.
    if (results.length === 0) menus.delete(tenant.id);
    else menus.set(tenant.id, { stamp: tenant.own_stamp, menu: next.menu, built });
  }
}

/** The restaurants of a turn: those with few writes come first, until it has enough. */
function seat(
  jobs: readonly Job[],
  tenants: readonly LockedTenant[],
  writes: readonly Write[],
  writesPerTurn: number,
) {
  const present: Guest[] = [];
  const absent: Job[] = [];
  for (const job of jobs) {
    const { tenant_id: id } = job.data;
    const tenant = tenants.find((one) => one.id === id);
    const waiting = writes.filter(({ tenant_id }) => tenant_id === id);
    if (tenant) present.push({ job, tenant, waiting });
    else absent.push(job);
  }
  present.sort((left, right) => left.waiting.length - right.waiting.length);
  let count = 0;
  const isFull = ({ waiting }: Guest) => {
    count += waiting.length;
    return count - waiting.length >= writesPerTurn;
  };
  const firstLeft = present.findIndex(isFull);
  const left = firstLeft < 0 ? [] : present.splice(firstLeft).map(({ job }) => job);
  return { present, absent, left };
}

/**
 * Gives the restaurants of jobs a turn. It locks their rows, does the due changes and then the writes,
 * and makes a version of each. It stores the versions and the results of the writes, and ends the jobs,
 * all in one transaction. When that fails for one of them, nothing is done for the others either.
 *
 * A restaurant goes back into the queue as slow when its turn takes long, or its row is locked.
 *
 * @param isSlowTurn whether there is time for that: such a turn has one job
 * @returns the jobs for which it had no room, and whether restaurants have more writes that wait
 */
export function serveAll(context: TurnContext, jobs: readonly Job[], isSlowTurn: boolean) {
  const { boss, constants } = context;
  return inQueueTransaction(boss, async (transaction) => {
    const { db: tx, settled } = runAhead(sendInJob(transaction.db));
    const ids = jobs.map(({ data }) => data.tenant_id);
    // Sent together, and one after the other in Postgres: it looks for writes with the locks held.
    const [tenants, writes, large] = await pipelined(
      lockTenants(tx, ids, isSlowTurn ? 'wait' : 'skip'),
      takeWrites(tx, ids),
      isSlowTurn ? Promise.resolve([]) : findLarge(context, tx, ids),
    );
    const { present, absent, left } = seat(jobs, tenants, writes, constants.writesPerTurn);
    const isPutOff = ({ tenant, waiting: [first] }: Guest) =>
      !isSlowTurn && ((first && isSlow(first)) || large.includes(tenant.id));
    const outcomes = await doAll(context, tx, present, isPutOff);
    const built = await storeAll(tx, outcomes);
    const toSend = outcomes.flatMap((one) => one.toSend);
    if (toSend.length > 0) await insertWrites(boss, transaction.db, tx, toSend, constants);
    const checks = outcomes.filter(({ job, again }) => isDueJob(job) && again === null);
    await check(tx, checks);
    // A restaurant that is not there although the turn has waited for it is gone.
    const ends = [
      ...outcomes,
      ...absent.map((job) => ({ job, results: [], again: isSlowTurn ? null : SLOW })),
    ];
    const ended = ends.flatMap(({ job, results }) => [job.id, ...results.map(({ id }) => id)]);
    const back = ends.flatMap(({ job, again }) =>
      again === null ? [] : [{ ...job, priority: again }],
    );
    // Right behind the statements before: one round trip for all.
    await pipelined(settled(), endJobs(boss, transaction, ended, back));
    remember(context, outcomes, built);
    context.onVersions(
      outcomes.flatMap(({ tenant, next }) => (next && tenant.has_webhooks ? [tenant.id] : [])),
    );
    const hasMore = back.length > 0 || outcomes.some((one) => isUnfinished(one, constants));
    return { left, hasMore };
  });
}
