import type { Db } from '../postgres/sql.ts';
import { withPresentAvailability } from '../schema/availability.ts';
import { DELETED, type Follow, followedFields, recordKey } from '../schema/chain.ts';
import type { Field } from '../schema/field.ts';
import { documentedValue, type RecordType, saysSame } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import type { Row } from '../schema/values/row.ts';
import { type OwnChange, saveOwnFields } from '../sql/chains.ts';
import { recordsOf } from '../sql/menus.ts';
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

/** The followed fields that a change touches. */
function changedFields(record: RecordType, before: Row, after: Row): string[] {
  return followedFields(record).filter((name) => !saysAlike(record, name, before, after));
}

/** The fields that a draft makes a branch's own. */
function ownChanges({ before, menu, changes }: Draft): OwnChange[] {
  const { patched, deleted, restored } = changes();
  const found: OwnChange[] = [];
  const note = (resource: Follow['resource'], id: number, change: Partial<OwnChange>) => {
    if (!menu.following?.follows.has(recordKey(resource, id))) return;
    found.push({ resource, id, own: [], follows: [], ...change });
  };
  for (const [resource, inputs] of patched) {
    const record = records[resource];
    for (const key of inputs.keys()) {
      const id = record.isSingleton ? (recordsOf(menu, record)[0]?.id ?? 0) : key;
      const [old, now] = [before, menu].map((one) => currentOf(one, resource, id));
      if (old && now) note(resource, id, { own: changedFields(record, old, now) });
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
  if (!draft.menu.following) return;
  await saveOwnFields(db, tenantId, ownChanges(draft), draft.menu.version + 1);
}
