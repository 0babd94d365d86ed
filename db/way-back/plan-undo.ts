import { type PastMenu, type PastRow, wholeRow } from '../history/past-menu.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { Conflict } from '../schema/bulk.ts';
import { isSame } from '../schema/record.ts';
import { idsIn, withIds } from '../schema/references.ts';
import { MENU_COLLECTIONS, type Reference, records, referencesFrom } from '../schema/registry.ts';
import { isCollection, type Resource } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import { apartFromAvailability } from './apart-from-availability.ts';
import type { LaterChanges, NetChange } from './later-changes.ts';
import type { RecordTarget } from './targets.ts';

/** The way back from a version. */
export interface UndoPlan {
  targets: RecordTarget[];
  /** Fields that stay as they are, since somebody has changed them. */
  conflicts: Conflict[];
  /** How many records of the menu stay as they are; an undo does not count them. */
  unchanged?: number;
  /** When the version was made that is taken back. */
  undoneAt?: Date;
}

interface Undo extends Pick<UndoPlan, 'conflicts'> {
  /** Whether what is sold out goes back, too. */
  isWhole: boolean;
  present: PastMenu;
  later: LaterChanges;
  /** The rows that the undo gives to records, by their kind and id. */
  aims: Map<string, RecordTarget & { row: PastRow }>;
}

const nameOf = (resource: string, id: unknown) => `${resource}/${id}`;

function rowNow({ present }: Undo, resource: Resource, id: number): PastRow | undefined {
  return present.get(resource)?.get(id);
}

function aim(undo: Undo, resource: Resource, id: number, row: PastRow): void {
  undo.aims.set(nameOf(resource, id), { resource, id, row });
}

/** Records that go, by their names. */
type Removed = ReadonlyMap<string, NetChange>;

/** A record that the undo gives a row, or that is there and stays. */
function isThere(undo: Undo, removed: Removed, resource: Resource, id: number): boolean {
  const name = nameOf(resource, id);
  return undo.aims.has(name) || (!removed.has(name) && rowNow(undo, resource, id) !== undefined);
}

/** The fields of a changed record that go back. */
function changeBack(undo: Undo, net: NetChange): void {
  const { resource, id } = net;
  const now = rowNow(undo, resource, id);
  if (!now) {
    undo.conflicts.push(undo.later.conflict(resource, id, null));
    return;
  }
  const { before, after } = apartFromAvailability(net, now, undo.isWhole);
  const back: Row = {};
  for (const [field, value] of Object.entries(before ?? {})) {
    const present = now[field] ?? null;
    // An address is no field of a document: the operator gives it.
    if (!(field in now) || isSame(present, value)) continue;
    if (isSame(present, after?.[field] ?? null)) back[field] = value;
    else undo.conflicts.push(undo.later.conflict(resource, id, field));
  }
  if (Object.keys(back).length > 0) aim(undo, resource, id, { ...now, ...back });
}

interface Referrer {
  from: Resource;
  id: number;
  field: string;
}

/** The records that name others, with the rows that the undo gives them, by the name of the others. */
function findReferrers(undo: Undo): Map<string, Referrer[]> {
  const all: (Referrer & { named: string })[] = [];
  for (const [from, rows] of undo.present) {
    for (const { field, to } of referencesFrom(records[from])) {
      for (const row of rows.values()) {
        const { [field]: value } = undo.aims.get(nameOf(from, row.id))?.row ?? row;
        const names = idsIn(value).map((one) => nameOf(to.resource, one));
        all.push(...names.map((named) => ({ from, id: row.id, field, named })));
      }
    }
  }
  return groupBy(all, ({ named }) => named);
}

/** Which of the records that the version created can go. */
function removals(undo: Undo, created: readonly NetChange[]): Removed {
  const going = new Map<string, NetChange>();
  for (const net of created) {
    const { resource, id, after } = net;
    const now = rowNow(undo, resource, id);
    if (!now) continue;
    const whole = wholeRow(records[resource], id, after ?? {});
    const others = Object.keys(whole).filter((field) => !isSame(whole[field], now[field]));
    for (const field of others) undo.conflicts.push(undo.later.conflict(resource, id, field));
    if (others.length === 0) going.set(nameOf(resource, id), net);
  }
  // A record that stays needs those that it names.
  const referrers = findReferrers(undo);
  const isKept = ({ from, id }: Referrer) => !going.has(nameOf(from, id));
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const name of going.keys()) {
      const keeper = referrers.get(name)?.find(isKept);
      if (!keeper) continue;
      const { from, id, field } = keeper;
      // A record that stays for a change of its own says so itself.
      if (undo.later.hasTouched(from, id, field)) {
        undo.conflicts.push(undo.later.conflict(from, id, field));
      }
      going.delete(name);
      isStable = false;
    }
  }
  return going;
}

/** A reference of a row that comes back, whose record is not there. */
function mend(undo: Undo, removed: Removed, row: PastRow, reference: Reference): void {
  const { from, field, to, options } = reference;
  const [own, target] = [from.resource, to.resource];
  const isGone = (one: number | null) => one !== null && !isThere(undo, removed, target, one);
  const id = idsIn(row[field]).find(isGone) ?? null;
  if (id === null) return;
  const former = undo.later.lastState(target, id);
  if (options.onDelete === 'cascade' && former) {
    // It cannot be without its section, which comes along.
    aim(undo, target, id, former);
    mendAll(undo, removed, target, former);
    return;
  }
  undo.conflicts.push(undo.later.conflict(target, id, null));
  if (options.onDelete === 'cascade') undo.aims.delete(nameOf(own, row.id));
  else {
    const left = withIds(row[field], (one) => (isGone(one) ? null : one));
    aim(undo, own, row.id, { ...row, [field]: left });
  }
}

function mendAll(undo: Undo, removed: Removed, resource: Resource, row: PastRow): void {
  for (const reference of referencesFrom(records[resource])) {
    const aimed = undo.aims.get(nameOf(resource, row.id));
    if (aimed) mend(undo, removed, aimed.row, reference);
  }
}

/** Takes external ids that others have by now from the rows that come back. */
function releaseKeys(undo: Undo, removed: Removed): void {
  for (const resource of MENU_COLLECTIONS) {
    const holders = new Map<unknown, number>();
    for (const { id, external_id: key } of undo.present.get(resource)?.values() ?? []) {
      const name = nameOf(resource, id);
      const held = undo.aims.get(name)?.row.external_id ?? key;
      if (held !== null && !removed.has(name)) holders.set(held, id);
    }
    for (const { resource: own, id, row } of undo.aims.values()) {
      const holder = holders.get(row.external_id);
      if (own !== resource || holder === undefined || holder === id) continue;
      undo.conflicts.push(undo.later.conflict(resource, holder, 'external_id'));
      aim(undo, resource, id, { ...row, external_id: null });
    }
  }
}

/**
 * The difference of a version turned round: each field as it was before, where it still is as the
 * version left it. Records come back with those that they cannot be without.
 *
 * @param isWhole whether what is sold out goes back, too
 */
export function planUndo(
  present: PastMenu,
  nets: readonly NetChange[],
  later: LaterChanges,
  isWhole: boolean,
): UndoPlan {
  const undo: Undo = { present, later, isWhole, aims: new Map(), conflicts: [] };
  for (const net of nets) {
    if (net.before && net.after) changeBack(undo, net);
    else if (net.before && !rowNow(undo, net.resource, net.id)) {
      aim(undo, net.resource, net.id, wholeRow(records[net.resource], net.id, net.before));
    }
  }
  const removed = removals(
    undo,
    // Settings and theme were created with the restaurant, and stay.
    nets.filter(({ before, resource }) => before === null && isCollection(resource)),
  );
  for (const { resource, row } of [...undo.aims.values()]) mendAll(undo, removed, resource, row);
  releaseKeys(undo, removed);
  const gone = [...removed.values()].map(({ resource, id }) => ({ resource, id, row: null }));
  return { targets: [...undo.aims.values(), ...gone], conflicts: undo.conflicts };
}
