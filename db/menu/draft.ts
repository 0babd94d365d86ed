import type { RecordType } from '../schema/record.ts';
import { withIds } from '../schema/references.ts';
import { records, referencesFrom, referencesTo } from '../schema/registry.ts';
import type { Input } from '../schema/validation/check-input.ts';
import type { Resource } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import { indexOf, listOf, noteChange, recordOf, referringTo } from './working-menu.ts';

/** A record that is to be marked as deleted. */
interface Deletion {
  resource: Resource;
  id: number;
  /** The deleted record that took it along, or itself: all of one group come back together. */
  group: string;
}

/** The rows to write so that the database has the drafted menu. */
export interface DraftChanges {
  /** Bodies of new records by their provisional ids, which are below 0. */
  created: ReadonlyMap<Resource, ReadonlyMap<number, Input>>;
  /** Changed fields of records that are there already; of singletons under the id 0. */
  patched: ReadonlyMap<Resource, ReadonlyMap<number, Input>>;
  deleted: readonly Deletion[];
  /** Whole bodies of records that come back, by their ids. */
  restored: ReadonlyMap<Resource, ReadonlyMap<number, Input>>;
}

/** A row of a draft in the place of one before; of a new record there is none. */
export interface Replaced {
  record: RecordType;
  before: MenuRow | undefined;
  after: MenuRow;
}

/** A copy of a menu in which operations see what earlier ones did; nothing is written. */
export interface Draft {
  readonly before: StoredMenu;
  readonly menu: StoredMenu;
  /** Every row that was put into a list, in order; those of one record may be several. */
  readonly replaced: readonly Replaced[];
  create(resource: Resource, input: Input, row: Input): MenuRow;
  patch(resource: Resource, current: MenuRow, input: Input, row: Input): MenuRow;
  /** Brings a record back with its id. */
  restore(resource: Resource, id: number, input: Input, row: Input): MenuRow;
  /** Lets a record show one that it names and that was not there. */
  show(resource: Resource, id: number, field: string, to: unknown): void;
  /** Takes the external id from a record that is going to be written, so that another may have it. */
  freeKey(resource: Resource, id: number): void;
  /** Takes a record away, with the records that cannot be without it. */
  remove(resource: Resource, id: number, group: string): void;
  /** Lets references of later operations find a record by a name of their own. */
  alias(resource: Resource, name: string, id: number): void;
  changes(): DraftChanges;
}

export function isEmpty({ created, patched, deleted, restored }: DraftChanges): boolean {
  const lists = [created, patched, restored].flatMap((one) => [...one.values()]);
  const count = lists.reduce((sum, { size }) => sum + size, 0);
  return count + deleted.length === 0;
}

function mapOf(maps: Map<Resource, Map<number, Input>>, resource: Resource): Map<number, Input> {
  const known = maps.get(resource) ?? new Map<number, Input>();
  maps.set(resource, known);
  return known;
}

/** The lists of a draft: those of the menu, each copied when it changes first. */
function createLists(menu: StoredMenu) {
  const lists = menu as unknown as Record<string, MenuRow[]>;
  const own = new Set<string>();
  const ownList = ({ table }: RecordType): MenuRow[] => {
    if (!own.has(table)) lists[table] = [...(lists[table] ?? [])];
    own.add(table);
    return lists[table] as MenuRow[];
  };
  const replaced: Replaced[] = [];
  return {
    ownList,
    replaced,
    /** Puts a row into its list in place. The list that was copied has an index already. */
    put: (record: RecordType, row: MenuRow): MenuRow => {
      const before = recordOf(menu, record, row.id);
      const list = ownList(record);
      if (before) list[list.indexOf(before)] = row;
      else list.push(row);
      noteChange(list, record, before, row);
      replaced.push({ record, before, after: row });
      return row;
    },
    /** Takes a row out of its list. */
    cut: (record: RecordType, row: MenuRow): void => {
      const list = ownList(record);
      list.splice(list.indexOf(row), 1);
      noteChange(list, record, row, undefined);
    },
  };
}

/** The value of a field that names a record no more. */
function without(value: unknown, id: number): unknown {
  return withIds(value, (named) => (named === id ? null : named));
}

/** The value of a reference without the records that a menu lacks. */
export function present(menu: StoredMenu, from: RecordType, field: string, value: unknown) {
  const to = referencesFrom(from).find((reference) => reference.field === field)?.to;
  return to ? withIds(value, (id) => (recordOf(menu, to, id) ? id : null)) : value;
}

/** The lowest id of a list; 0 where there is none below. */
function lowestId(list: unknown): number {
  if (!Array.isArray(list)) return 0;
  return list.reduce((lowest: number, { id }: MenuRow) => Math.min(lowest, id), 0);
}

/**
 * A draft that shares with the menu all lists that it leaves as they are: so a single operation costs
 * what its own list costs.
 */
export function createDraft(before: StoredMenu): Draft {
  const menu = { ...before };
  const { ownList, replaced, put, cut } = createLists(menu);
  const created = new Map<Resource, Map<number, Input>>();
  const patched = new Map<Resource, Map<number, Input>>();
  const restored = new Map<Resource, Map<number, Input>>();
  const deleted: Deletion[] = [];
  let provisional: number | undefined;

  const replace = (record: RecordType, row: MenuRow): MenuRow => {
    if (!record.isSingleton) return put(record, row);
    Object.assign(menu, { [record.resource]: row });
    return row;
  };
  const remove = (resource: Resource, id: number, group: string): void => {
    const record = records[resource];
    const row = recordOf(menu, record, id);
    if (!row) return;
    for (const { from, field, options } of referencesTo(record)) {
      if (from.isSingleton) {
        const row = menu[from.resource as 'settings'] as unknown as Row;
        if (row[field] === id) Object.assign(menu, { [from.resource]: { ...row, [field]: null } });
      }
      for (const one of referringTo(listOf(menu, from), field, id)) {
        if (options.onDelete === 'cascade') remove(from.resource, one.id, group);
        // The row keeps the reference, and shows it again when the record comes back.
        else put(from, { ...one, [field]: without(one[field], id) });
      }
    }
    cut(record, row);
    // A value that an earlier operation changed is kept with the record, which may be restored.
    if (id < 0) created.get(resource)?.delete(id);
    else if (!restored.get(resource)?.delete(id)) deleted.push({ resource, id, group });
  };
  return {
    before,
    menu,
    replaced,
    create: (resource, input, row) => {
      // A menu that another draft has made has new records, too.
      provisional ??= Math.min(0, ...Object.values(menu).map(lowestId));
      provisional -= 1;
      mapOf(created, resource).set(provisional, input);
      return put(records[resource], { ...row, id: provisional });
    },
    patch: (resource, current, input, row) => {
      const { isSingleton } = records[resource];
      const isBack = restored.get(resource)?.has(current.id) ?? false;
      const own = mapOf(current.id < 0 ? created : isBack ? restored : patched, resource);
      const id = isSingleton ? 0 : current.id;
      own.set(id, { ...own.get(id), ...input });
      return replace(records[resource], { ...current, ...row });
    },
    restore: (resource, id, input, row) => {
      mapOf(restored, resource).set(id, input);
      return put(records[resource], { ...row, id });
    },
    show: (resource, id, field, to) => {
      const record = records[resource];
      const row = record.isSingleton ? menu[resource as 'settings'] : recordOf(menu, record, id);
      if (row) replace(record, { ...row, [field]: present(menu, record, field, to) } as MenuRow);
    },
    freeKey: (resource, id) => {
      const row = recordOf(menu, records[resource], id);
      if (row) put(records[resource], { ...row, external_id: null });
    },
    remove,
    alias: (resource, name, id) => {
      const { byId, byKey } = indexOf(ownList(records[resource]));
      const row = byId.get(id);
      if (row) byKey.set(name, row);
    },
    changes: () => ({ created, patched, deleted, restored }),
  };
}
