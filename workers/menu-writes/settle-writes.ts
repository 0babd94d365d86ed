import { bounds } from '../../db/bounds.ts';
import type { Db } from '../../db/connection.ts';
import { bumpVersion } from '../../db/queries/bump-version.ts';
import { loadMenu, type StoredMenu } from '../../db/queries/load-menu.ts';
import { lockTenant } from '../../db/queries/lock-tenant.ts';
import { saveWriteResults } from '../../db/queries/save-write-results.ts';
import { takeWrite, takeWrites } from '../../db/queries/take-writes.ts';
import type { Write } from '../../db/records/write.ts';
import { publishMenu } from '../../db/snapshot/rebuild.ts';
import { applyWrite } from './apply-write.ts';
import { fault, type Outcome } from './outcome.ts';

/** A job of the queue, as far as its writes are concerned. */
export interface Turn {
  tenantId: number;
  /** The write that the job was sent for. */
  writeId: string;
  /** How often it has been tried before, and what went wrong the last time. */
  failures: number;
  lastFailure: string | null;
}

async function takeTurn(db: Db, turn: Turn): Promise<readonly Write[]> {
  const { tenantId, writeId, failures } = turn;
  // After a failure each write is tried by itself, so that one cannot drag others along.
  const waiting = failures === 0 ? await takeWrites(db, tenantId, bounds.maxWritesPerRebuild) : [];
  if (waiting.some(({ id }) => id === writeId)) return waiting;
  const own = await takeWrite(db, tenantId, writeId);
  return own ? [...waiting, own] : waiting;
}

/**
 * Does a write, and with it those of the same tenant that wait behind it: they share one version
 * and one rebuild. Everything happens in the transaction in which the queue completes the job.
 * Returns the ids of the writes that are finished by it.
 */
export async function settleWrites(db: Db, turn: Turn): Promise<string[]> {
  const { tenantId, failures, lastFailure } = turn;
  const tenant = await lockTenant(db, tenantId);
  if (!tenant) return [];
  const writes = await takeTurn(db, turn);
  if (writes.length === 0) return [];

  const isLost = failures >= bounds.maxWriteAttempts;
  let menu: StoredMenu | undefined;
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    menu ??= await loadMenu(db, tenantId);
    const outcome = isLost ? fault(write.record_id) : await applyWrite(db, write, menu);
    if (outcome.changed) menu = undefined;
    outcomes.push(outcome);
  }
  let { version } = tenant;
  if (outcomes.some(({ changed }) => changed)) {
    version = await bumpVersion(db, tenantId);
    await publishMenu(db, tenantId, await loadMenu(db, tenantId));
  }
  const results = writes.map(({ id, resource }, index) => {
    const { recordId, changed: _changed, ...outcome } = outcomes[index] as Outcome;
    const error = isLost ? lastFailure : null;
    return { id, resource, record_id: recordId, ...outcome, version, error };
  });
  await saveWriteResults(db, tenantId, results);
  return writes.map(({ id }) => id);
}
