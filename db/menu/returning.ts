import type { RecordType } from '../schema/record.ts';
import { idsIn } from '../schema/references.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import type { Input } from '../schema/validation/check-input.ts';
import { externalName } from '../schema/values/record-id.ts';
import type { Resource } from '../schema/values/resource.ts';
import type { HiddenReference } from '../sql/deletions.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import { type Draft, present } from './draft.ts';
import { recordByKey, recordOf } from './working-menu.ts';

/** Deleted records that upserts may bring back. */
export interface Returning {
  /** The records, by `resource/external_id`. */
  deleted: Map<string, MenuRow>;
  /** The references to them that others keep and do not show, by `resource/id` of the deleted one. */
  hidden: Map<string, HiddenReference[]>;
}

/** Notes references to deleted records of one kind. */
export function noteHidden(
  hidden: Returning['hidden'],
  resource: Resource,
  references: readonly HiddenReference[],
): void {
  for (const reference of references) {
    for (const id of idsIn(reference.to)) {
      const key = `${resource}/${id}`;
      const known = hidden.get(key);
      if (known) known.push(reference);
      else if (id !== null) hidden.set(key, [reference]);
    }
  }
}

/**
 * A deleted record as it returns: in the section that a body names, else in its own. A section whose
 * own one is gone returns to the first level.
 *
 * @returns null where it has no place
 */
export function inItsPlace(menu: StoredMenu, record: RecordType, back: MenuRow, data: Input) {
  const { parent } = record;
  const to = parent && referencesFrom(record).find(({ field }) => field === parent)?.to;
  if (!parent || !to) return back;
  const name = externalName(parent);
  const sent = name in data ? recordByKey(menu, to, data[name])?.id : data[parent];
  const isSent = name in data || parent in data;
  const place = recordOf(menu, to, isSent ? sent : back[parent])?.id ?? null;
  return place === null && to !== record ? null : { ...back, [parent]: place };
}

/** Lets others show a record that has come back, unless an operation has changed their references. */
export function showAgain(draft: Draft, { hidden }: Returning, resource: Resource, back: MenuRow) {
  const { patched } = draft.changes();
  for (const { from, id, field, to } of hidden.get(`${resource}/${back.id}`) ?? []) {
    const changed = patched.get(from);
    // Those of a singleton stand under the id 0.
    if (field in (changed?.get(id) ?? changed?.get(0) ?? {})) continue;
    draft.show(from, id, field, to);
  }
  // It may itself name records that come back after it.
  const record = records[resource];
  for (const { field, to } of referencesFrom(record)) {
    const value = back[field];
    const row = recordOf(draft.menu, record, back.id);
    const isWhole = idsIn(value).every((id) => id === null || recordOf(draft.menu, to, id));
    const isLeft =
      JSON.stringify(row?.[field]) === JSON.stringify(present(draft.menu, record, field, value));
    if (isWhole || !isLeft) continue;
    noteHidden(hidden, to.resource, [{ from: resource, id: back.id, field, to: value }]);
  }
}
