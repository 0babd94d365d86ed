import { type Resource, records, referencesFrom } from '../../db/schema/registry.ts';
import { type Input, isObject } from '../../db/schema/validation/check-input.ts';
import { externalName } from '../../db/schema/values/record-id.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import type { SentOperation } from '../menu/plan.ts';
import { recordByKey, recordOf } from '../menu/working-menu.ts';

/** The uploaded records that an import may name: those that are here, and names of its own for them. */
function createKnown(menu: StoredMenu) {
  const names = new Set<unknown>();
  return {
    add: (name: string) => names.add(name),
    hasKey: (key: unknown) =>
      names.has(key) || recordByKey(menu, records.photos, key) !== undefined,
    hasId: (id: unknown) => recordOf(menu, records.photos, id) !== undefined,
  };
}

/** The fields of an operation without photos that are not here; notes their paths. */
function withoutUnknown(
  known: ReturnType<typeof createKnown>,
  resource: Resource,
  data: Input,
  note: (field: string) => void,
): Input {
  const left = { ...data };
  for (const { field, to } of referencesFrom(records[resource])) {
    if (!to.isUploaded) continue;
    const name = externalName(field);
    const { [name]: key, [field]: id } = data;
    const isMissing = typeof key === 'string' ? !known.hasKey(key) : id && !known.hasId(id);
    if (!isMissing) continue;
    delete left[name];
    delete left[field];
    note(typeof key === 'string' ? name : field);
  }
  return left;
}

/**
 * The operations of an import without photos that the restaurant does not have, and the paths left
 * out. A menu of another restaurant comes without its photos: these are files of their own.
 */
export function withoutMissingPhotos(
  menu: StoredMenu,
  operations: readonly SentOperation[],
): { operations: SentOperation[]; ignored: string[] } {
  const known = createKnown(menu);
  const ignored: string[] = [];
  const left = operations.flatMap((sent): SentOperation[] => {
    const { operation, path, name } = sent;
    if (!isObject(operation)) return [sent];
    const { resource, external_id, id, data } = operation;
    const record = records[resource as Resource];
    if (record?.isUploaded) {
      const isHere = typeof external_id === 'string' ? known.hasKey(external_id) : known.hasId(id);
      if (!isHere) ignored.push(path);
      else if (name !== undefined) known.add(name);
      return isHere ? [sent] : [];
    }
    if (!record || !isObject(data)) return [sent];
    const note = (field: string) => ignored.push(`${path}.${field}`);
    const rest = withoutUnknown(known, resource as Resource, data, note);
    return [{ ...sent, operation: { ...operation, data: rest } }];
  });
  return { operations: left, ignored };
}
