import { sideOf } from '../../../db/history/past-menu.ts';
import { isSame, type Row } from '../../../db/schema/record.ts';
import type { Resource } from '../../../db/schema/registry.ts';
import type { Change } from '../../../db/schema/version.ts';

/** The change of a record by all writes that share a version. */
export interface NetChange {
  resource: Resource;
  id: number;
  /** The fields that differ as they were; of a record that was deleted all; null for a new one. */
  before: Row | null;
  /** The same afterwards; null for one that is gone. */
  after: Row | null;
}

function join(known: NetChange, change: Change): NetChange {
  const { before, after } = known;
  const isNew = change.action === 'created' || change.action === 'restored';
  return {
    ...known,
    // The first value before, of each field; a record that was deleted meanwhile was whole.
    before: before && { ...sideOf(change, 0), ...before },
    after: change.action === 'deleted' ? null : { ...(isNew ? {} : after), ...sideOf(change, 1) },
  };
}

/** Only the fields that differ of a record that is there before and after. */
function withoutSame(net: NetChange): NetChange {
  const { before, after } = net;
  if (!before || !after) return net;
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !isSame(before[name] ?? null, after[name] ?? null),
  );
  const pick = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
  return { ...net, before: pick(before), after: pick(after) };
}

/** The change of each record by changes that follow each other. */
export function netChanges(changes: readonly Change[]): NetChange[] {
  const nets = new Map<string, NetChange>();
  for (const change of changes) {
    const { resource, id, action } = change;
    const name = `${resource}/${id}`;
    const known = nets.get(name);
    const isNew = action === 'created' || action === 'restored';
    const first = {
      ...{ resource, id },
      before: isNew ? null : sideOf(change, 0),
      after: action === 'deleted' ? null : sideOf(change, 1),
    };
    nets.set(name, known ? join(known, change) : first);
  }
  return [...nets.values()].map(withoutSame).filter(({ before, after }) => before || after);
}
