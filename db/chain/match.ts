import { recordByKey } from '../menu/working-menu.ts';
import { DOCUMENT_ORDER } from '../schema/bulk.ts';
import { type Follow, followedFields, type Match } from '../schema/chain.ts';
import type { Field } from '../schema/field.ts';
import { defaultsOf, type RecordType, saysSame, sentValue } from '../schema/record.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import { textsIn } from '../schema/values/locale.ts';
import { SINGLETONS } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import { type MenuRow, recordsOf, type StoredMenu } from '../sql/menus.ts';
import { outerFirst } from './nesting.ts';
import {
  type ChainReading,
  type Counterparts,
  createCounterparts,
  differingFields,
  readingOf,
  takenFields,
  valuesFor,
} from './values.ts';

// How the records of a restaurant that becomes a branch find those of its master.

/** The menus of a master and of a restaurant that becomes its branch. */
interface Menus {
  master: StoredMenu;
  branch: StoredMenu;
}

/** A record of the master and the branch's that follows it. */
interface Pair {
  record: RecordType;
  row: MenuRow;
  own: MenuRow;
}

/** The names of a record in each language, within the record in which it stands. */
function namesOf({ parent = '' }: RecordType, row: MenuRow, parentId: unknown): string[] {
  const { name, name_translations: texts } = row as Row;
  const names = typeof name === 'string' ? [name] : Object.values(textsIn(texts));
  const place = parent === '' ? '' : String(parentId ?? null);
  return [...new Set(names)].map((one) => `${place}/${String(one).trim().toLowerCase()}`);
}

const parentOf = ({ parent = '' }: RecordType, row: MenuRow) =>
  ((row as Row)[parent] ?? null) as number | null;

/** Records by a name that one of them alone has; null where several have it. */
function byOwnName(record: RecordType, rows: readonly MenuRow[]): Map<string, MenuRow | null> {
  const found = new Map<string, MenuRow | null>();
  for (const row of rows) {
    for (const name of namesOf(record, row, parentOf(record, row))) {
      found.set(name, found.has(name) ? null : row);
    }
  }
  return found;
}

/** Finds the branch's record for one of the master's; undefined where none or several fit. */
type Find = (row: MenuRow) => MenuRow | undefined;

function finderOf(
  record: RecordType,
  menus: Menus,
  match: Match,
  counterparts: Counterparts,
): Find {
  if (match === 'external_id' || record.isUploaded) {
    return ({ external_id: key }) =>
      typeof key === 'string' ? recordByKey(menus.branch, record, key) : undefined;
  }
  const present = byOwnName(record, recordsOf(menus.branch, record));
  const named = byOwnName(record, recordsOf(menus.master, record));
  const to = referencesFrom(record).find(({ field }) => field === record.parent)?.to;
  return (row) => {
    const above = parentOf(record, row);
    const place = above === null || !to ? null : counterparts.idOf(to.resource, above);
    // The section in which it stands follows none here.
    if (place === undefined) return undefined;
    const isAlone = (name: string) => named.get(name) === row;
    const theirs = namesOf(record, row, above);
    const ours = namesOf(record, row, place);
    const found = new Set(
      ours.flatMap((name, at) => (isAlone(theirs[at] ?? '') ? (present.get(name) ?? []) : [])),
    );
    return found.size === 1 ? [...found][0] : undefined;
  };
}

/** The fields of a pair that differ, or hold prices in another currency: they stay the branch's own. */
function ownFieldsOf(reading: ChainReading, { record, row, own }: Pair): string[] {
  const values = valuesFor(reading, record, row, own);
  const differing = new Set(differingFields(record, own, values));
  const taken = new Set(takenFields(reading, record));
  return followedFields(record).filter((name) => {
    if (!taken.has(name)) return true;
    // The settings and the theme of a new restaurant are no choice of its owner.
    return differing.has(name) && !(record.isSingleton && isUnset(record, own, name));
  });
}

function isUnset(record: RecordType, row: MenuRow, name: string): boolean {
  const { [name]: unset = null } = defaultsOf(record);
  return saysSame(record.fields[name] as Field, sentValue(record, row, name), unset);
}

/**
 * The records of a restaurant that follow those of a master from now on, each with its own fields.
 *
 * @param match by what they find each other; photos by their content
 * @param known those that follow already, which are left as they are
 */
export function matchRecords(menus: Menus, match: Match, known: readonly Follow[]) {
  const { master, branch } = menus;
  const counterparts = createCounterparts(known);
  const pairs: Pair[] = [];
  let missing = 0;
  let others = 0;
  for (const collection of DOCUMENT_ORDER) {
    const record = records[collection];
    const find = finderOf(record, menus, match, counterparts);
    const taken = new Set(known.flatMap(({ resource, id }) => (resource === collection ? id : [])));
    for (const row of outerFirst(record, recordsOf(master, record))) {
      if (counterparts.idOf(collection, row.id) !== undefined) continue;
      const own = find(row);
      if (!own || taken.has(own.id)) {
        missing += 1;
        continue;
      }
      taken.add(own.id);
      counterparts.add(collection, row.id, own.id);
      pairs.push({ record, row, own });
    }
    others += recordsOf(branch, record).filter(({ id }) => !taken.has(id)).length;
  }
  for (const resource of SINGLETONS) {
    if (known.some((one) => one.resource === resource)) continue;
    const [row, own] = [master[resource], branch[resource]] as unknown as [MenuRow, MenuRow];
    pairs.push({ record: records[resource], row, own });
  }
  const reading = readingOf(branch, master, counterparts, null);
  const follows = pairs.map((pair) => ({
    ...{ resource: pair.record.resource, id: pair.own.id, master_id: pair.row.id },
    own: ownFieldsOf(reading, pair),
  }));
  const own_fields = follows.reduce((sum, { own }) => sum + own.length, 0);
  const matched = follows.length + known.length;
  return { follows, report: { matched, own_fields, own_records: others, missing } };
}
