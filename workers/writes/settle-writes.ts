import type { PgBoss } from 'pg-boss';
import { differenceInSteps } from '../../db/history/difference.ts';
import { makeVersion, type NewVersion, saveVersions } from '../../db/menu/new-version.ts';
import { type Applied, failed } from '../../db/menu/outcome.ts';
import type { KnownMenus } from '../../db/menu/working-menu.ts';
import { type Db, pipelined } from '../../db/postgres/sql.ts';
import { beginTransaction, bindJobTransaction } from '../../db/queue/boss.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { NewEntry, Origin } from '../../db/schema/version.ts';
import { isRecordWrite, type Write } from '../../db/schema/write.ts';
import { isLargeMenu, loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { type LockedTenant, lockTenants } from '../../db/sql/tenants.ts';
import {
  type FinishedWrite,
  type FinishedWrites,
  saveResultsStatement,
  takeWrites,
  type WaitingWrite,
} from '../../db/sql/writes.ts';
import { applyDocument } from './apply-document.ts';
import { applyRecord } from './apply-record.ts';
import type { TurnResult } from './tenant-turns.ts';

/** A time to do writes. */
interface Turn {
  /** Those whose writes are done; several share a transaction. */
  tenantIds: readonly number[];
  /** Whether the tenant has the transaction for itself, and may do what takes long. */
  isAlone: boolean;
}

export interface SettleContext {
  boss: PgBoss;
  menus: KnownMenus;
  constants: Pick<Constants, 'maxWritesPerRebuild' | 'writesPerTurn'>;
}

/** The results of a tenant's writes, not yet sent to Postgres. */
interface Settled extends FinishedWrites {
  result: TurnResult;
  /** Null when the menu is as before. */
  next: NewVersion | null;
  /** Keeps the new menu in memory. When the transaction does not commit, no menu has its stamp. */
  remember(): void;
}

/** Whether a write has failed so often that it is not tried again: what it comes to is a fault. */
function isGivenUp({ errors, timeouts }: WaitingWrite): boolean {
  return errors >= constants.maxWriteErrors || timeouts >= constants.maxWriteTimeouts;
}

/** The writes of a turn: those up to the first one that must have a turn of its own. */
function chooseWrites(waiting: readonly WaitingWrite[]): readonly WaitingWrite[] {
  const separate = waiting.findIndex(isSeparate);
  return separate < 0 ? waiting : waiting.slice(0, Math.max(separate, 1));
}

/** Whether a write takes long, or uses a savepoint. */
function isSlow(write: Write): boolean {
  return !isRecordWrite(write) || write.action === 'restore';
}

/**
 * Whether a write needs a turn of its own. So a dry run of a whole menu has seen the very version that
 * it names, and a write that has failed cannot make others fail.
 */
function isSeparate(write: WaitingWrite): boolean {
  return isSlow(write) || write.errors + write.timeouts > 0;
}

/** A write that was applied, and its entry in the history where it changed the menu. */
interface Done {
  applied: Applied;
  entry: NewEntry | null;
}

/** The entry of a write, whose menu has changed by it. */
async function enter(write: Write, before: StoredMenu, after: StoredMenu): Promise<NewEntry> {
  const isWayBack = write.action === 'restore' || write.action === 'undo';
  const appears = () => (isWayBack ? 'restored' : 'created') as 'restored' | 'created';
  const steps = differenceInSteps(before, after, appears);
  return { ...authorOf(write), changes: await inSlices(steps, constants.writeSlice) };
}

/** Does writes one after the other, each on the menu with the earlier ones. */
async function applyAll(
  db: Db,
  writes: readonly Write[],
  before: StoredMenu,
  version: number,
): Promise<{ done: Done[]; menu: StoredMenu }> {
  const done: Done[] = [];
  let menu = before;
  for (const write of writes) {
    // A document is alone, so the menu is in the version with which the turn began.
    const applied = isRecordWrite(write)
      ? await applyRecord(db, write, menu)
      : await applyDocument(db, write, menu, version);
    const entry = applied.menu && (await enter(write, menu, applied.menu));
    menu = applied.menu ?? menu;
    done.push({ applied, entry });
  }
  return { done, menu };
}

/** A turn in which a tenant has no write done. */
function nothingDone(tenantId: number, result: TurnResult): Settled {
  return { tenantId, result, results: [], next: null, remember: () => undefined };
}

/** The waiting writes of a tenant share one version and one rebuild. */
async function settleTenant(
  { menus, constants: limits }: SettleContext,
  db: Db,
  tenant: LockedTenant,
  waiting: readonly WaitingWrite[],
  { isAlone }: Turn,
): Promise<Settled> {
  const { id: tenantId } = tenant;
  const [first] = waiting;
  if (!first) return nothingDone(tenantId, { state: 'idle', isLong: false });
  const putOff = nothingDone(tenantId, { state: 'more', isLong: true });
  if (isSlow(first) && !isAlone) return putOff;
  const latest = menus.get(tenantId);
  const known = latest?.stamp === tenant.stamp ? latest : undefined;
  const before = known?.menu ?? (await loadMenu(db, tenantId));
  const isLost = isGivenUp(first);
  const isLong = !isLost && isLargeMenu(before);
  if (isLong && !isAlone) return putOff;

  const writes = chooseWrites(waiting);
  const { done, menu } = isLost
    ? { done: [{ applied: failed(first.record_id), entry: null }], menu: before }
    : await applyAll(db, writes, before, tenant.version);
  const entries = done.flatMap(({ entry }) => entry ?? []);
  // All of it is made before anything is sent: what fails here must not leave a part behind.
  const next = entries.length > 0 ? await makeVersion(tenant, menu, entries, known?.built) : null;
  const { version } = next?.menu ?? tenant;
  const results = writes.map(({ id, resource, error: last }, index): FinishedWrite => {
    const { recordId, outcome } = (done[index] as Done).applied;
    const error = isLost ? last : null;
    return { id, resource, record_id: recordId, outcome, version, error };
  });
  const isRest = writes.length < waiting.length || waiting.length >= limits.maxWritesPerRebuild;
  return {
    ...{ tenantId, results, next },
    result: { state: isRest ? 'more' : 'done', isLong },
    remember: () => {
      if (!next) return;
      menus.set(tenantId, { stamp: tenant.own_stamp, menu: next.menu, built: next.built });
    },
  };
}

/** The writes of each tenant, and whether the turn has room for them: those with few come first. */
function shareOut(
  tenants: readonly LockedTenant[],
  waiting: readonly WaitingWrite[],
  writesPerTurn: number,
): { tenant: LockedTenant; writes: readonly WaitingWrite[]; hasRoom: boolean }[] {
  const shares = tenants.map((tenant) => ({
    tenant,
    writes: waiting.filter(({ tenant_id }) => tenant_id === tenant.id),
  }));
  shares.sort((left, right) => left.writes.length - right.writes.length);
  let count = 0;
  return shares.map((share) => {
    const hasRoom = count < writesPerTurn;
    count += share.writes.length;
    return { ...share, hasRoom };
  });
}

/**
 * Does waiting writes of tenants in one transaction. When the writes of one tenant fail unexpectedly,
 * nothing is done for the others either.
 *
 * @returns what the turn of each tenant came to; a tenant that another worker has locked is missing
 */
export async function settleWrites(
  context: SettleContext,
  turn: Turn,
): Promise<ReadonlyMap<number, TurnResult>> {
  const { tenantIds } = turn;
  const transaction = await beginTransaction(context.boss);
  const db = bindJobTransaction(transaction.db);
  try {
    // Sent together, and one after the other in Postgres: it looks for writes with the locks held.
    const [tenants, writes] = await pipelined(
      lockTenants(db, tenantIds, 'skip'),
      takeWrites(db, tenantIds),
    );
    // The statements of all tenants go over one connection, none of them waiting for another tenant's.
    const shares = shareOut(tenants, writes, context.constants.writesPerTurn);
    const settled = await pipelined(
      ...shares.map(async (share) =>
        share.hasRoom
          ? settleTenant(context, db, share.tenant, share.writes, turn)
          : nothingDone(share.tenant.id, { state: 'more', isLong: false }),
      ),
    );
    const finished = settled.filter(({ results }) => results.length > 0);
    if (finished.length > 0) {
      await pipelined(
        ...saveVersions(
          db,
          finished.flatMap(({ next }) => next ?? []),
        ),
        db.run(saveResultsStatement(finished)),
        // Right behind them: one round trip for all. Postgres rolls back where one of them has failed.
        transaction.commit(),
      );
      for (const one of settled) one.remember();
    }
    return new Map(settled.map(({ tenantId, result }) => [tenantId, result]));
  } finally {
    // Of what has not been committed; after that it does nothing.
    await transaction.rollback();
  }
}

function originOf({ resource, action, token_id: sender }: Write): Origin {
  if (action === 'restore' && resource === 'menu') return 'restore';
  if (action === 'release') return 'release';
  if (action === 'undo' || action === 'import') return sender === 0 ? 'cli' : action;
  if (sender < 0) return 'panel';
  return action === 'bulk' ? 'bulk' : 'api';
}

/** Who sent a write and by which way, as the history names it. */
function authorOf(write: Write): Omit<NewEntry, 'changes'> {
  const { token_id: sender, id: jobId } = write;
  const origin = originOf(write);
  if (sender === 0) return { actor: { kind: 'operator', id: null }, origin, jobId };
  const kind = sender > 0 ? 'token' : 'user';
  return { actor: { kind, id: Math.abs(sender) }, origin, jobId };
}
