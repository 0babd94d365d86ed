import type { Db } from '../../db/postgres/connection.ts';
import { pipelined } from '../../db/postgres/pipelined.ts';
import { isRecordWrite, type Write } from '../../db/schema/write.ts';
import { rebuildMenu } from '../../db/snapshot/rebuild.ts';
import { lockTenant } from '../../db/sql/writes/lock-tenant.ts';
import { saveResultsStatement } from '../../db/sql/writes/save-write-results.ts';
import { takeWrite, takeWrites } from '../../db/sql/writes/take-writes.ts';
import { applyWrite } from './apply-write.ts';
import { applyDocument } from './bulk/apply-document.ts';
import { type Applied, failed } from './outcome.ts';
import { createWorkingMenu, type KnownMenus, type WorkingMenu } from './working-menu.ts';

/** A job of the queue, as far as its writes are concerned. */
export interface Attempt {
  /** The write that the job was sent for. */
  writeId: string;
  /** How often it has been tried before, and what went wrong the last time. */
  failures: number;
  lastFailure: string | null;
  /** Whether it is not tried again: what it comes to is a fault. */
  isLost: boolean;
}

/** A time to do the writes of one tenant. */
export interface Turn {
  db: Db;
  tenantId: number;
  /** The job that the queue has handed out; null when it was not asked. */
  attempt: Attempt | null;
  /** Sends what settles the writes' jobs, behind everything else: nothing follows it. */
  complete(writeIds: string[]): Promise<void>;
}

async function takeTurn({ db, tenantId, attempt }: Turn): Promise<readonly Write[]> {
  if (!attempt) return takeWrites(db, tenantId);
  const { writeId, failures } = attempt;
  // After a failure each write is tried alone, so that it cannot make others fail.
  const waiting = failures === 0 ? await takeWrites(db, tenantId) : [];
  if (waiting.some(({ id }) => id === writeId)) return waiting;
  const own = await takeWrite(db, tenantId, writeId);
  return own ? [...waiting, own] : waiting;
}

/** Does the writes one after the other; what they came to stands in their order. */
async function applyAll(
  db: Db,
  writes: readonly Write[],
  menu: WorkingMenu,
  version: number,
): Promise<Applied[]> {
  const applied: Applied[] = [];
  let present = version;
  for (const write of writes) {
    const before = await menu.read();
    const one = isRecordWrite(write)
      ? await applyWrite(db, write, before)
      : await applyDocument(db, write, before, present);
    await menu.change(one.change);
    // The version that they share; another client may be waiting for the former one.
    if (one.change.kind !== 'none') present = version + 1;
    applied.push(one);
  }
  return applied;
}

/**
 * Whether the menu that a write has looked at is none that clients can name: it changed nothing, and
 * a later write of its turn has changed the menu since. A diff of it must not be applied unseen.
 */
function sawPassingMenu(applied: readonly Applied[], index: number): boolean {
  const { outcome } = applied[index] as Applied;
  const isTried = outcome.kind === 'bulk' && !outcome.applied;
  return isTried && applied.slice(index + 1).some(({ change }) => change.kind !== 'none');
}

/**
 * Does the waiting writes of a tenant: they share one version and one rebuild. Everything happens in
 * the transaction in which their jobs are completed. Null: there is no such tenant, or others are
 * at its writes and there is no job to wait with.
 */
export async function settleWrites(turn: Turn, menus: KnownMenus): Promise<string[] | null> {
  const { db, tenantId, attempt } = turn;
  // Sent together, and one after the other in Postgres: it looks for writes with the lock held.
  const [tenant, writes] = await pipelined(
    lockTenant(db, tenantId, attempt ? 'wait' : 'skip'),
    takeTurn(turn),
  );
  if (!tenant) return null;
  if (writes.length === 0) return [];

  const remembered = menus.get(tenantId);
  const known = remembered?.stamp === tenant.stamp ? remembered : undefined;
  const menu = createWorkingMenu(db, tenantId, known?.menu);
  const isLost = attempt?.isLost ?? false;
  const applied = isLost
    ? writes.map(({ record_id }) => failed(record_id))
    : await applyAll(db, writes, menu, tenant.version);
  const changed = applied.some(({ change }) => change.kind !== 'none');
  const version = changed ? tenant.version + 1 : tenant.version;
  const results = writes.map(({ id, resource }, index) => {
    const { recordId, outcome } = applied[index] as Applied;
    const error = isLost ? (attempt?.lastFailure ?? null) : null;
    const seen = sawPassingMenu(applied, index) ? tenant.version : version;
    return { id, resource, record_id: recordId, outcome, version: seen, error };
  });
  const next = changed ? { ...(await menu.read()), version } : undefined;
  // All of it is made before anything is sent: what fails here must not leave a part behind.
  const rebuild = next && (await rebuildMenu(next, known?.built));
  const saveResults = saveResultsStatement(tenantId, results);
  const writeIds = writes.map(({ id }) => id);
  await pipelined(
    rebuild && db.run(rebuild.statement),
    db.run(saveResults),
    turn.complete(writeIds),
  );
  // When this transaction does not commit, no menu has this stamp.
  if (next && rebuild) {
    menus.set(tenantId, { stamp: tenant.own_stamp, menu: next, built: rebuild.built });
  }
  return writeIds;
}
