import type { Db } from '../postgres/sql.ts';
import { withPresentAvailability } from '../schema/availability.ts';
import { DELETED, followedFields, recordKey } from '../schema/chain.ts';
import type { Field } from '../schema/field.ts';
import { documentedValue, type RecordType, saysSame } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import type { Resource } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import { lowerTaken, type OwnChange, saveOwnFields } from '../sql/chains.ts';
import { type Following, recordsOf } from '../sql/menus.ts';
import type { Draft } from './draft.ts';
import { currentOf } from './prepare-input.ts';

// A branch that changes a field of a record that follows its master makes it its own.

/** Whether two rows say the same in a field, whatever is sold out. */
function saysAlike(record: RecordType, name: string, before: Row, after: Row): boolean {
  const field = record.fields[name] as Field;
  const [old, now] = [before, after].map((row) => documentedValue(record, row, name));
  if (saysSame(field, old, now)) return true;
  if (!field.parts) return false;
  const { resource } = record;
  const kept = withPresentAvailability(resource, { [name]: now }, { [name]: old });
  return saysSame(field, kept[name], old);
}

/** Whether a field became own by the version that is taken back. */
function followsAgain(
  following: Following | undefined,
  resource: Resource,
  id: number,
  name: string,
): boolean {
  const { undone, follows } = following ?? {};
  const mark = follows?.get(recordKey(resource, id))?.own_fields[name];
  if (mark === undefined || !undone) return false;
  // Builds before this one named the version in which the branch had joined its chain, too.
  return mark.version === undone.version && Date.parse(mark.at) <= undone.at.getTime();
}

/** The fields that a draft makes a branch's own, and those that follow again. */
function ownChanges({ before, menu, changes }: Draft): OwnChange[] {
  const { patched, deleted, restored } = changes();
  const found: OwnChange[] = [];
  const note = (resource: Resource, id: number, change: Partial<OwnChange>) => {
    if (!menu.following?.follows.has(recordKey(resource, id))) return;
    found.push({ resource, id, own: [], follows: [], ...change });
  };
  for (const [resource, inputs] of patched) {
    const record = records[resource];
    for (const key of inputs.keys()) {
      const id = record.isSingleton ? (recordsOf(menu, record)[0]?.id ?? 0) : key;
      const [old, now] = [before, menu].map((one) => currentOf(one, resource, id));
      if (!old || !now) continue;
      const changed = followedFields(record).filter((name) => !saysAlike(record, name, old, now));
      const isUndone = (name: string) => followsAgain(menu.following, resource, id, name);
      note(resource, id, {
        own: changed.filter((name) => !isUndone(name)),
        follows: changed.filter(isUndone),
      });
    }
  }
  for (const { resource, id } of deleted) note(resource, id, { own: [DELETED] });
  for (const [resource, inputs] of restored) {
    for (const id of inputs.keys()) note(resource, id, { follows: [DELETED] });
  }
  return found.filter(({ own, follows }) => own.length + follows.length > 0);
}

/** Stores which fields a draft makes a branch's own, before it is stored itself. */
export async function keepOwnFields(db: Db, tenantId: number, draft: Draft): Promise<void> {
  const { following, version } = draft.menu;
  if (!following) return;
  const changes = ownChanges(draft);
  await saveOwnFields(db, tenantId, changes, version + 1);
  // Publications have passed them by meanwhile: the branch is behind again.
  const taken = changes.flatMap(({ resource, id, follows }) => {
    const own = following.follows.get(recordKey(resource, id))?.own_fields;
    return follows.flatMap((name) => own?.[name]?.taken ?? []);
  });
  if (taken.length > 0) await lowerTaken(db, tenantId, Math.min(...taken));
}
