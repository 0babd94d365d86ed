import { bounds } from '../../db/bounds.ts';
import type { Db } from '../../db/connection.ts';
import { lockTenant } from '../../db/queries/lock-tenant.ts';
import { saveWriteResults } from '../../db/queries/save-write-results.ts';
import { takeWrite, takeWrites } from '../../db/queries/take-writes.ts';
import type { Write } from '../../db/records/write.ts';
import { saveMenu } from '../../db/snapshot/rebuild.ts';
import { together } from '../../db/together.ts';
import { applyWrite } from './apply-write.ts';
import { fault, type Outcome } from './outcome.ts';
import { createWorkingMenu, type KnownMenus, type WorkingMenu } from './working-menu.ts';

/** A job of the queue, as far as its writes are concerned. */
export interface Turn {
  tenantId: number;
  /** The write that the job was sent for. */
  writeId: string;
  /** How often it has been tried before, and what went wrong the last time. */
  failures: number;
  lastFailure: string | null;
  /** Whether it is not tried again: what it comes to is a fault. */
  isLost: boolean;
}

async function takeTurn(db: Db, turn: Turn): Promise<readonly Write[]> {
  const { tenantId, writeId, failures } = turn;
  // After a failure each write is tried by itself, so that one cannot drag others along.
  const waiting = failures === 0 ? await takeWrites(db, tenantId, bounds.maxWritesPerRebuild) : [];
  if (waiting.some(({ id }) => id === writeId)) return waiting;
  const own = await takeWrite(db, tenantId, writeId);
  return own ? [...waiting, own] : waiting;
}

/** What a turn came to. */
export interface Settled {
  /** The writes that are finished by it. */
  writeIds: string[];
  /** Whether the menu is another one now. */
  changed: boolean;
}

/** Does the writes one after the other; the outcomes stand in their order. */
async function applyAll(
  db: Db,
  writes: readonly Write[],
  menu: WorkingMenu,
  isLost: boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    const outcome = isLost
      ? fault(write.record_id)
      : await applyWrite(db, write, await menu.read());
    await menu.change(outcome.change);
    outcomes.push(outcome);
  }
  return outcomes;
}

/**
 * Does a write, and with it those of the same tenant that wait behind it: they share one version
 * and one rebuild. Everything happens in the transaction in which the queue completes the job.
 */
export async function settleWrites(db: Db, turn: Turn, menus: KnownMenus): Promise<Settled> {
  const { tenantId, lastFailure, isLost } = turn;
  // Sent together, and one after the other in Postgres: it looks for writes with the lock held.
  const [tenant, writes] = await together(lockTenant(db, tenantId), takeTurn(db, turn));
  if (!tenant || writes.length === 0) return { writeIds: [], changed: false };

  const remembered = menus.get(tenantId);
  const known = remembered?.stamp === tenant.stamp ? remembered : undefined;
  const menu = createWorkingMenu(db, tenantId, known?.menu);
  const outcomes = await applyAll(db, writes, menu, isLost);
  const changed = outcomes.some(({ change }) => change.kind !== 'none');
  const version = changed ? tenant.version + 1 : tenant.version;
  const results = writes.map(({ id, resource }, index) => {
    const { recordId, change: _done, ...outcome } = outcomes[index] as Outcome;
    const error = isLost ? lastFailure : null;
    return { id, resource, record_id: recordId, ...outcome, version, error };
  });
  const next = changed ? { ...(await menu.read()), version } : undefined;
  const [built] = await together(
    next && saveMenu(db, next, known?.built),
    saveWriteResults(db, tenantId, results),
  );
  // Should this transaction not commit, then the stamp is nobody's.
  if (next && built) menus.set(tenantId, { stamp: tenant.own_stamp, menu: next, built });
  return { writeIds: writes.map(({ id }) => id), changed };
}
