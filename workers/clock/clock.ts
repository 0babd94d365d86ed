import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { describe, differenceInSteps } from '../../db/history/difference.ts';
import { makeVersion, type NewVersion, saveVersions } from '../../db/menu/new-version.ts';
import { storeDraft } from '../../db/menu/store.ts';
import type { KnownMenus } from '../../db/menu/working-menu.ts';
import { type Db, pipelined } from '../../db/postgres/sql.ts';
import { beginTransaction, bindJobTransaction } from '../../db/queue/boss.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Running } from '../../db/runtime/running.ts';
import { records } from '../../db/schema/registry.ts';
import type { Release } from '../../db/schema/release.ts';
import type { Change, NewEntry } from '../../db/schema/version.ts';
import { IS_VISIBLE, type Visibility, visibilityAt } from '../../db/schema/visibility.ts';
import { type DueTenant, findDueTenants, foreseeNextChanges } from '../../db/sql/clock.ts';
import { loadMenu, recordsOf, type StoredMenu } from '../../db/sql/menus.ts';
import { findUnchecked, lockOpenReleases } from '../../db/sql/releases.ts';
import { type LockedTenant, lockTenants, type WhenLocked } from '../../db/sql/tenants.ts';
import { type GoesOn, startRounds } from '../housekeeping/rounds.ts';
import { checkReleases } from '../releases/check-releases.ts';
import { type Entered, publishDueReleases } from '../releases/due-releases.ts';
import { endSoldOut } from '../releases/plan-release.ts';

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

/** A restaurant for which the clock has done what was due. */
interface Served {
  tenant: LockedTenant;
  /** Null when nothing was due, and it has not been loaded. */
  menu: StoredMenu | null;
  /** Null when the menu is as before. */
  next: NewVersion | null;
}

/**
 * Does all that is due of a locked tenant, as one version, which is yet to be saved.
 *
 * @param open its releases that wait, or that an end will take back
 */
async function serve(
  tx: Db,
  tenant: LockedTenant,
  open: readonly Release[],
  menus: KnownMenus,
): Promise<Served> {
  const { id: tenantId, locked_at: at, next_change_at: since } = tenant;
  // A write may have changed it meanwhile.
  if (since === null || since > at) return { tenant, menu: null, next: null };
  const latest = menus.get(tenantId);
  const known = latest?.stamp === tenant.stamp ? latest : undefined;
  const before = known?.menu ?? (await loadMenu(tx, tenantId));
  const passed = await passMoments(tx, tenantId, before, since, at);
  const { menu, entries: released } = await publishDueReleases(tx, tenant, open, passed.menu);
  const entries = [...passed.entries, ...released];
  const next = entries.length > 0 ? await makeVersion(tenant, menu, entries, known?.built) : null;
  return { tenant, menu: next?.menu ?? menu, next };
}

interface ClockOptions {
  db: Db;
  boss: PgBoss;
  menus: KnownMenus;
  log: Logger;
  constants: Pick<Constants, 'clockInterval' | 'clockTenantsPerBatch' | 'clockTenantsPerTurn'>;
}

/** Stores the new versions of tenants, and what follows from them, in their transaction. */
async function save(tx: Db, served: readonly Served[]): Promise<void> {
  const versions = served.flatMap(({ next }) => next ?? []);
  const passed = served.flatMap(({ tenant, menu }) => (menu ? [tenant] : []));
  const saving = [...saveVersions(tx, versions), foreseeNextChanges(tx, passed)];
  // Behind them: a new version lets the releases that wait be checked again.
  const finding = findUnchecked(
    tx,
    served.map(({ tenant }) => tenant.id),
  );
  await pipelined(...saving, finding);
  const unchecked = groupBy(await finding, ({ tenant_id: id }) => id);
  for (const { tenant, menu } of served) {
    const own = unchecked.get(tenant.id);
    if (own) await checkReleases(tx, tenant, menu, own);
  }
}

/** Keeps the new menus of restaurants that write at present; others would take their room. */
function remember(menus: KnownMenus, served: readonly Served[]): void {
  for (const { tenant, next } of served) {
    if (!next || !menus.has(tenant.id)) continue;
    menus.set(tenant.id, { stamp: tenant.own_stamp, menu: next.menu, built: next.built });
  }
}

/**
 * Does what is due of some tenants in one transaction, a version of each, and looks whether the
 * releases that wait still fit. A tenant may be gone: then there is nothing to do.
 *
 * @returns those that another transaction had locked, where this one does not wait for them
 */
async function takeTurn(
  { boss, menus }: ClockOptions,
  tenantIds: readonly number[],
  ifLocked: WhenLocked,
): Promise<readonly number[]> {
  const transaction = await beginTransaction(boss);
  const tx = bindJobTransaction(transaction.db);
  try {
    const tenants = await lockTenants(tx, tenantIds, ifLocked);
    const ids = tenants.map(({ id }) => id);
    const open = await lockOpenReleases(tx, ids);
    const served = await pipelined(
      ...tenants.map((tenant) => serve(tx, tenant, open.get(tenant.id) ?? [], menus)),
    );
    await save(tx, served);
    await transaction.commit();
    remember(menus, served);
    const own = new Set(ids);
    return tenantIds.filter((id) => !own.has(id));
  } finally {
    // Of what has not been committed; after that it does nothing.
    await transaction.rollback();
  }
}

/**
 * Takes turns of due tenants, one after the other, until all of them have been served: others' writes
 * find room between them.
 *
 * @param suspects tenants that have failed: each has a turn of its own, as those with large menus have
 * @returns those that other transactions have locked
 */
async function takeTurns(
  options: ClockOptions,
  due: readonly DueTenant[],
  suspects: Set<number>,
  goesOn: GoesOn,
): Promise<readonly number[]> {
  const { log, constants: limits } = options;
  const isAlone = ({ id, is_large }: DueTenant) => is_large || suspects.has(id);
  const alone = due.filter(isAlone).map(({ id }) => id);
  const shared = due.filter((one) => !isAlone(one)).map(({ id }) => id);
  const locked: number[] = [];
  while (shared.length + alone.length > 0 && goesOn()) {
    const ids =
      shared.length > 0 ? shared.splice(0, limits.clockTenantsPerTurn) : alone.splice(0, 1);
    try {
      locked.push(...(await takeTurn(options, ids, 'skip')));
      for (const id of ids) suspects.delete(id);
    } catch (error) {
      log.error({ err: error, tenantIds: ids }, 'the clock failed; it will try each alone');
      for (const id of ids) suspects.add(id);
    }
  }
  return locked;
}

/** Publishes all that is due. */
async function publishDue(
  options: ClockOptions,
  suspects: Set<number>,
  goesOn: GoesOn,
): Promise<void> {
  const { db, constants: limits } = options;
  const limit = limits.clockTenantsPerBatch;
  const locked = new Set<number>();
  let after = 0;
  let due: readonly DueTenant[];
  do {
    due = await findDueTenants(db, after, limit);
    for (const id of await takeTurns(options, due, suspects, goesOn)) locked.add(id);
    after = due.at(-1)?.id ?? after;
  } while (due.length === limit && goesOn());
  if (locked.size === 0) return;
  // A restaurant with many writes is nearly always locked: the clock stands in the queue for it, too.
  for (const { id } of await findDueTenants(db, 0, limit)) {
    if (locked.has(id) && goesOn()) await takeTurn(options, [id], 'wait');
  }
}

/**
 * Publishes changes at their moments. Every worker looks for such restaurants each
 * `clockInterval`; what became due while none ran is found by the first that starts.
 */
export function startClock(options: ClockOptions): Running {
  const suspects = new Set<number>();
  return startRounds({
    what: 'the clock',
    interval: options.constants.clockInterval,
    firstAfter: 0,
    round: (goesOn) => publishDue(options, suspects, goesOn),
    log: options.log,
  });
}
