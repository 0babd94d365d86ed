import * as v from 'valibot';
import { differenceInSteps } from '../../db/history/difference.ts';
import type { Entered } from '../../db/menu/new-version.ts';
import { type Applied, failed } from '../../db/menu/outcome.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { publisherSchema } from '../../db/schema/chain.ts';
import { isImportFormat } from '../../db/schema/exchange-report.ts';
import type { NewEntry, Origin } from '../../db/schema/version.ts';
import { isRecordWrite, isSlow, type Write } from '../../db/schema/write.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { applyDocument, type DocumentBounds } from '../writes/apply-document.ts';
import { applyRecord } from '../writes/apply-record.ts';

/**
 * The writes that a turn does together: those up to the first slow one, which is done alone. So a dry
 * run of a whole menu has seen the very version that it names.
 */
export function chooseWrites(waiting: readonly Write[]): readonly Write[] {
  const slow = waiting.findIndex(isSlow);
  return slow < 0 ? waiting : waiting.slice(0, Math.max(slow, 1));
}

/** The entry of a write, whose menu has changed by it. */
async function enter(write: Write, before: StoredMenu, after: StoredMenu): Promise<NewEntry> {
  const isWayBack = write.action === 'restore' || write.action === 'undo';
  const appears = () => (isWayBack ? 'restored' : 'created') as 'restored' | 'created';
  const steps = differenceInSteps(before, after, appears);
  return { ...authorOf(write), changes: await inSlices(steps) };
}

/** The outcomes of writes, in their order. */
interface DoneWrites extends Entered {
  applied: readonly Applied[];
}

/** Does writes one after the other, each on the menu with the earlier ones. */
export async function doWrites(
  tx: Db,
  writes: readonly Write[],
  before: StoredMenu,
  bounds: DocumentBounds,
): Promise<DoneWrites> {
  const applied: Applied[] = [];
  const entries: NewEntry[] = [];
  let menu = before;
  for (const write of writes) {
    const one = isRecordWrite(write)
      ? await applyRecord(tx, write, menu)
      : await applyDocument(tx, write, menu, bounds);
    if (one.menu) {
      const entry = await enter(write, menu, one.menu);
      entries.push({ ...entry, confirmedBy: one.confirmedBy ?? entry.confirmedBy ?? null });
    }
    menu = one.menu ?? menu;
    applied.push(one);
  }
  return { applied, entries, menu, toSend: applied.flatMap(({ toSend = [] }) => toSend) };
}

/** Ends a write that has failed too often; it changes nothing. */
export function giveUp(write: Write, menu: StoredMenu): DoneWrites {
  return { applied: [failed(write.record_id)], entries: [], menu };
}

function originOf({ origin, resource, action, token_id: sender, input }: Write): Origin {
  if (origin) return origin;
  if (action === 'import' && isImportFormat(input.format)) return input.format;
  if (action === 'restore' && resource === 'menu') return 'restore';
  if (action === 'release') return 'release';
  if (action === 'publish' || action === 'follow') return 'chain';
  if (action === 'undo' || action === 'import') return sender === 0 ? 'cli' : action;
  if (sender < 0) return 'panel';
  return action === 'bulk' ? 'bulk' : 'api';
}

/** Who sent a write and by which way, as the history names it. */
function authorOf(write: Write): Omit<NewEntry, 'changes'> {
  const { token_id: sender, id: jobId, confirmed_by: confirmedBy = null } = write;
  const how = { origin: originOf(write), jobId, confirmedBy };
  if (write.origin === 'chain') {
    // Somebody of the master has no id here.
    return { actor: { ...v.parse(publisherSchema, write.input.publisher), id: null }, ...how };
  }
  if (sender === 0) return { actor: { kind: 'operator', id: null }, ...how };
  const kind = sender > 0 ? 'token' : 'user';
  return { actor: { kind, id: Math.abs(sender) }, ...how };
}
