import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { describe, differenceInSteps, recordsOf } from '../../db/history/difference.ts';
import { movedPairs } from '../../db/history/stale-texts.ts';
import { storeDraft } from '../../db/menu/store.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { bindJobTransaction } from '../../db/queue/boss.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Running } from '../../db/runtime/running.ts';
import { type ClockJob, queues } from '../../db/schema/queues.ts';
import { records } from '../../db/schema/registry.ts';
import type { Change, NewEntry } from '../../db/schema/version.ts';
import { IS_VISIBLE, type Visibility, visibilityAt } from '../../db/schema/visibility.ts';
import { rebuildMenu } from '../../db/snapshot/rebuild.ts';
import { findDueTenants, foreseeNextChange } from '../../db/sql/clock.ts';
import { saveEntriesStatement } from '../../db/sql/history.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { saveSnapshotsStatement } from '../../db/sql/snapshots.ts';
import { saveStaleStatement } from '../../db/sql/stale-texts.ts';
import { type LockedTenant, lockTenant } from '../../db/sql/tenants.ts';
import { type GoesOn, startRounds } from '../housekeeping/rounds.ts';
import { checkReleases } from '../releases/check-releases.ts';
import { type Entered, publishDueReleases } from '../releases/due-releases.ts';
import { endSoldOut } from '../releases/forecast.ts';

/** How long before a moment a record is as it was before it, in ms: moments are whole seconds. */
const JUST_BEFORE = 1;

/**
 * The records that guests see or do not see any more by moments of a span of time, each as a change of
 * `is_visible`.
 *
 * @param since the first moment of the span
 * @param until the last one
 */
function appearances(menu: StoredMenu, since: Date, until: Date): Change[] {
  const before = new Date(since.getTime() - JUST_BEFORE);
  return (['categories', 'items'] as const).flatMap((resource) =>
    recordsOf(menu, records[resource]).flatMap((row) => {
      const span = row as unknown as Visibility;
      const [was, is] = [before, until].map((at) => visibilityAt(span, at) === 'now');
      if (was === is || row.is_active !== true) return [];
      const fields = { [IS_VISIBLE]: [was, is] };
      const locale = menu.settings.default_locale;
      return [describe(records[resource], 'changed', row, fields, locale)];
    }),
  );
}

/** Ends times of being sold out, and tells what appears and leaves at the moments of a span. */
async function passMoments(
  tx: Db,
  tenantId: number,
  before: StoredMenu,
  since: Date,
  at: Date,
): Promise<Entered> {
  const over = await endSoldOut(before, at);
  const menu = over ? (await storeDraft(tx, tenantId, over)).menu : before;
  const changes = [
    ...(await inSlices(differenceInSteps(before, menu), constants.writeSlice)),
    ...appearances(menu, since, at),
  ];
  const actor = { kind: 'clock', id: null } as const;
  const entry: NewEntry = { actor, origin: 'clock', jobId: null, changes };
  return { menu, entries: changes.length > 0 ? [entry] : [] };
}

/** Does all that is due, as one version, and returns the menu. */
async function publish(tx: Db, tenant: LockedTenant, since: Date): Promise<StoredMenu> {
  const { id: tenantId, locked_at: at } = tenant;
  const passed = await passMoments(tx, tenantId, await loadMenu(tx, tenantId), since, at);
  const released = await publishDueReleases(tx, tenant, passed.menu);
  const entries = [...passed.entries, ...released.entries];
  let { menu } = released;
  if (entries.length > 0) {
    const version = tenant.version + 1;
    menu = { ...menu, version };
    const { change } = await rebuildMenu(menu, at);
    await tx.run(saveEntriesStatement([{ tenantId, version, entries }]));
    const pairs = movedPairs(
      entries.flatMap(({ changes }) => changes ?? []),
      menu.settings,
    );
    if (pairs.length > 0) await tx.run(saveStaleStatement([{ tenantId, pairs }]));
    await tx.run(saveSnapshotsStatement([change]));
  }
  await foreseeNextChange(tx, tenantId, at);
  return menu;
}

/**
 * Publishes the changes of a tenant whose moment has come, as one version, in the job's transaction. A
 * write may have changed them meanwhile, and the tenant may be gone: then there is nothing to publish.
 * After that it looks whether the releases that wait still fit.
 */
async function publishDue(tx: Db, tenantId: number): Promise<void> {
  const tenant = await lockTenant(tx, tenantId, 'wait');
  if (!tenant) return;
  const { locked_at: at, next_change_at: since } = tenant;
  const menu = since !== null && since <= at ? await publish(tx, tenant, since) : null;
  await checkReleases(tx, tenant, menu);
}

/** Sends a job for each tenant with due changes, one at most, and returns whether there are any. */
async function sendJobs(db: Db, boss: PgBoss, limit: number, goesOn: GoesOn): Promise<boolean> {
  let after = 0;
  let due: readonly number[];
  do {
    due = await findDueTenants(db, after, limit);
    const jobs = due.map((tenant_id) => ({
      data: { tenant_id },
      singletonKey: String(tenant_id),
    }));
    if (jobs.length > 0) await boss.insert(queues.clock, jobs);
    after = due.at(-1) ?? after;
  } while (due.length === limit && goesOn());
  return after > 0;
}

/**
 * Publishes changes at their moments. Every worker looks for such restaurants each
 * `clockInterval`; what became due while none ran is found by the first that starts.
 */
export async function startClock(
  db: Db,
  boss: PgBoss,
  log: Logger,
  { clockTenantsPerBatch, clockInterval }: Constants,
): Promise<Running> {
  const workId = await boss.work<ClockJob, void, { transactional: true }>(
    queues.clock,
    { transactional: true },
    async ([job], transaction) => {
      if (!job) return;
      await publishDue(bindJobTransaction(transaction, job.signal), job.data.tenant_id);
      // There may be more.
      boss.notifyWorker(workId);
    },
  );
  return startRounds({
    what: 'the clock',
    interval: clockInterval,
    firstAfter: 0,
    round: async (goesOn) => {
      const isAny = await sendJobs(db, boss, clockTenantsPerBatch, goesOn);
      if (isAny) boss.notifyWorker(workId);
    },
    log,
  });
}
