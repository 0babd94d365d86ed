import { deletedRow, type PastRow, sideOf } from '../history/past-menu.ts';
import type { Db } from '../postgres/sql.ts';
import type { Conflict } from '../schema/bulk.ts';
import { isSame } from '../schema/record.ts';
import type { Resource } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import type { Change } from '../schema/version.ts';
import { type Difference, findDifferences, findLaterParts } from '../sql/history.ts';

/** Who changed something, and in which version. */
type Touch = Pick<Conflict, 'version' | 'at' | 'actor'>;

/** The changes of a menu since a version. */
export interface LaterChanges {
  /** Names the last version that has touched a field, or the record as a whole. */
  conflict(resource: Resource, id: number, field: string | null): Conflict;
  /** Whether somebody has written the field since. */
  hasTouched(resource: Resource, id: number, field: string): boolean;
  /** A record as it was when it was last deleted; undefined when that was not since. */
  lastState(resource: Resource, id: number): PastRow | undefined;
}

/**
 * Reads what has changed since a version of a menu, which is `latest` now.
 *
 * @param part one of the writes that share the version, since which others came; null for all of them
 */
export async function readLaterChanges(
  db: Db,
  tenantId: number,
  { version, part }: { version: number; part: number | null },
  latest: number,
): Promise<LaterChanges> {
  const fields = new Map<string, Touch>();
  const records = new Map<string, Touch>();
  const deleted = new Map<string, PastRow>();
  const keep = (map: Map<string, Touch>, name: string, touch: Touch) => {
    if (!map.has(name)) map.set(name, touch);
  };
  const note = ({ version: touched, at, actor, changes }: Difference) => {
    const touch = { version: touched, at: at.toISOString(), actor };
    for (const change of changes.toReversed()) {
      const name = `${change.resource}/${change.id}`;
      keep(records, name, touch);
      for (const field of Object.keys(change.fields)) keep(fields, `${name}/${field}`, touch);
      if (change.action !== 'deleted' || deleted.has(name)) continue;
      deleted.set(name, deletedRow(change));
    }
  };
  for (let before = latest + 1; before > version + 1; ) {
    const found = await findDifferences(db, tenantId, { after: version, before });
    if (found.length === 0) break;
    found.forEach(note);
    before = found.at(-1)?.version ?? version;
  }
  if (part !== null) (await findLaterParts(db, tenantId, version, part)).forEach(note);
  const unknown: Touch = { version: latest, actor: { kind: 'operator', id: null, name: null } };
  return {
    conflict: (resource, id, field) => {
      const name = `${resource}/${id}`;
      const touch = fields.get(`${name}/${field}`) ?? records.get(name) ?? unknown;
      return { resource, id, field, ...touch };
    },
    hasTouched: (resource, id, field) => fields.has(`${resource}/${id}/${field}`),
    lastState: (resource, id) => deleted.get(`${resource}/${id}`),
  };
}

/** The change of a record by all writes that share a version. */
export interface NetChange {
  resource: Resource;
  id: number;
  /** The fields that differ as they were; of a record that was deleted all; null for a new one. */
  before: Row | null;
  /** The same afterwards; null for one that is gone. */
  after: Row | null;
}

const isNew = ({ action }: Change) => action === 'created' || action === 'restored';

function join(known: NetChange, change: Change): NetChange {
  const { before, after } = known;
  return {
    ...known,
    // The first value before, of each field; a record that was deleted meanwhile was whole.
    before: before && { ...sideOf(change, 0), ...before },
    after:
      change.action === 'deleted'
        ? null
        : { ...(isNew(change) ? {} : after), ...sideOf(change, 1) },
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
    const { resource, id } = change;
    const name = `${resource}/${id}`;
    const first: NetChange = { resource, id, before: isNew(change) ? null : {}, after: null };
    nets.set(name, join(nets.get(name) ?? first, change));
  }
  return [...nets.values()].map(withoutSame).filter(({ before, after }) => before || after);
}
