import { nameInMenu } from '../history/difference.ts';
import type { Draft } from '../menu/draft.ts';
import { planOwn } from '../menu/plan-own.ts';
import { currentOf } from '../menu/prepare-input.ts';
import { indexOf, listOf, referringTo } from '../menu/working-menu.ts';
import { groupBy } from '../runtime/group-by.ts';
import { DOCUMENT_ORDER, type OperationResult } from '../schema/bulk.ts';
import {
  DELETED,
  type Follow,
  holdsPrices,
  type Refused,
  recordKey,
  type Shadowed,
} from '../schema/chain.ts';
import type { PriceList } from '../schema/chain-policy.ts';
import type { Field } from '../schema/field.ts';
import { documentedValue, documentValue, type RecordType, sentValue } from '../schema/record.ts';
import { purgeOrder, records, referencesFrom, referencesTo } from '../schema/registry.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import { type Collection, type Resource, SINGLETONS } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import type { NewFollow } from '../sql/chains.ts';
import { type MenuRow, recordsOf, type StoredMenu } from '../sql/menus.ts';
import { outerFirst } from './nesting.ts';
import {
  type ChainReading,
  createCounterparts,
  differingFields,
  readingOf,
  takenFields,
  valuesFor,
} from './values.ts';

/** The work of a publication in a branch, beside the changes of its records. */
export interface Publication {
  results: OperationResult[];
  /** How many records that follow stay as they are. */
  unchanged: number;
  shadowed: Shadowed[];
  refused: Refused[];
  /** Records that begin to follow; new ones by their provisional ids. */
  begun: NewFollow[];
  /** Records that follow no more. */
  ended: Follow[];
}

/** The master of a branch, and what follows it there. */
interface Chain {
  master: StoredMenu;
  follows: readonly Follow[];
  /** The branch's prices; null: they are the master's. */
  prices: PriceList | null;
}

/** Records may be in each other's way once; then the next pass does them. */
const PASSES = 3;

/** Plans the publication of a master's menu in a branch. */
class Planner {
  readonly #draft: Draft;
  readonly #master: StoredMenu;
  readonly #reading: ChainReading;
  /** The records that follow, by the key of the branch's. */
  readonly #follows: Map<string, Follow>;
  readonly #done: Publication = {
    ...{ results: [], unchanged: 0, shadowed: [], refused: [], begun: [], ended: [] },
  };

  constructor(draft: Draft, { master, follows, prices }: Chain) {
    this.#draft = draft;
    this.#master = master;
    this.#reading = readingOf(draft.menu, master, createCounterparts(follows), prices);
    this.#follows = new Map(follows.map((one) => [recordKey(one.resource, one.id), one]));
  }

  *plan(): Generator<void, Publication> {
    for (const collection of DOCUMENT_ORDER) yield* this.#createAll(collection);
    yield* this.#changeAll();
    yield* this.#deleteAll();
    return this.#done;
  }

  *#operate(operation: object): Generator<void, OperationResult> {
    const { results } = yield* planOwn(this.#draft, operation);
    return results[0] as OperationResult;
  }

  #nameOf(menu: StoredMenu, row: MenuRow): string | null {
    return nameInMenu(row, menu.settings.default_locale);
  }

  #refuse(resource: Resource, row: MenuRow, errors: FieldErrors): void {
    const name = this.#nameOf(this.#master, row);
    this.#done.refused.push({ resource, id: row.id, name, errors });
  }

  #shadow(follow: Follow, row: MenuRow | undefined, field: string, own: unknown, master: unknown) {
    const { resource, id } = follow;
    const name = row ? this.#nameOf(this.#draft.menu, row) : null;
    this.#done.shadowed.push({ resource, id, name, field, own, master });
  }

  /** Whether anything of the master shows a photo: others stay there. */
  #isShown(record: RecordType, row: MenuRow): boolean {
    if (!record.isUploaded) return true;
    return referencesTo(record).some(({ from, field }) =>
      from.isSingleton
        ? (recordsOf(this.#master, from)[0] as Row)[field] === row.id
        : referringTo(listOf(this.#master, from), field, row.id).length > 0,
    );
  }

  *#createAll(collection: Collection): Generator<void, void> {
    const record = records[collection];
    for (const row of outerFirst(record, listOf(this.#master, record))) {
      yield;
      const isKnown = this.#reading.counterparts.idOf(collection, row.id) !== undefined;
      if (!isKnown && this.#isShown(record, row)) yield* this.#create(record, row);
    }
  }

  /** The body of a new record: what names others of its kind comes when all are there. */
  #bodyOf(record: RecordType, row: MenuRow): Row {
    const { menu } = this.#draft;
    const values = valuesFor(this.#reading, record, row, undefined);
    const taken = new Set(takenFields(this.#reading, record));
    const later = referencesFrom(record).filter(
      ({ to, field }) => to === record && field !== record.parent,
    );
    for (const { field } of later) taken.delete(field);
    const body = Object.fromEntries(Object.entries(values).filter(([name]) => taken.has(name)));
    if (record.isUploaded) {
      const all = Object.entries<Field>(record.fields).filter(
        ([, { kind }]) => kind !== 'embedded',
      );
      for (const [name] of all) body[name] = sentValue(record, row, name);
    }
    const { external_id: key = null } = row;
    const isFree = key !== null && !indexOf(listOf(menu, record)).byKey.has(key);
    return { ...body, ...(isFree && { external_id: key }) };
  }

  /** The fields of a new record that are the branch's from the beginning: it has no price yet. */
  #ownOf(record: RecordType): string[] {
    if (this.#reading.price) return [];
    const priced = Object.entries<Field>(record.fields).filter(([, field]) => holdsPrices(field));
    return priced.length === 0 ? [] : [...priced.map(([name]) => name), 'is_active'];
  }

  *#create(record: RecordType, row: MenuRow): Generator<void, void> {
    const { resource, parent } = record;
    const body = this.#bodyOf(record, row);
    // The branch does not have the section in which it would stand.
    if (parent && (row[parent] ?? null) !== null && body[parent] === null) return;
    const own = this.#ownOf(record);
    if (own.length > 0 && resource === 'modifier_groups') {
      this.#refuse(resource, row, { options: [broken('otherCurrency')] });
      return;
    }
    if (own.length > 0) body.is_active = false;
    const made = yield* this.#operate({ resource, action: 'create', data: body });
    if (made.outcome === 'failed' || made.id === null) {
      this.#refuse(resource, row, made.errors);
      this.#done.results.push(made);
      return;
    }
    if (made.outcome === 'created') this.#done.results.push(made);
    this.#reading.counterparts.add(resource, row.id, made.id);
    const follow = { resource, id: made.id, master_id: row.id };
    this.#done.begun.push({ ...follow, own });
    const marks = own.map((name) => [name, { version: 0, at: '' }]);
    this.#follows.set(recordKey(resource, made.id), {
      ...{ ...follow, own_fields: Object.fromEntries(marks) },
    });
  }

  /** The records that follow, of kinds in an order in which each stands after those that it names. */
  #followers(): Follow[] {
    const order: readonly Resource[] = [...DOCUMENT_ORDER, ...SINGLETONS];
    const all = groupBy([...this.#follows.values()], ({ resource }) => resource);
    return order.flatMap((resource) => all.get(resource) ?? []);
  }

  #masterOf({ resource, master_id: id }: Follow): MenuRow | undefined {
    return currentOf(this.#master, resource, id);
  }

  #branchOf({ resource, id }: Follow): MenuRow | undefined {
    return currentOf(this.#draft.menu, resource, id);
  }

  *#changeAll(): Generator<void, void> {
    const changed = new Map<Follow, OperationResult>();
    let waiting = this.#followers();
    for (let pass = 1; pass <= PASSES && waiting.length > 0; pass += 1) {
      const failed: Follow[] = [];
      for (const follow of waiting) {
        yield;
        const result = yield* this.#change(follow);
        if (!result || result.outcome === 'unchanged') continue;
        changed.set(follow, result);
        if (result.outcome === 'failed') failed.push(follow);
      }
      // Another record that was in the way may have moved on.
      waiting = failed.length > 0 ? this.#followers() : [];
    }
    const fresh = new Set(this.#done.begun.map(({ resource, id }) => recordKey(resource, id)));
    for (const follow of this.#followers()) {
      const row = this.#masterOf(follow);
      const result = changed.get(follow);
      if (row) this.#noteShadowed(follow, row);
      const isNew = fresh.has(recordKey(follow.resource, follow.id));
      if (!result) this.#done.unchanged += row && !isNew ? 1 : 0;
      else if (result.outcome === 'failed' && row)
        this.#refuse(follow.resource, row, result.errors);
      if (result && !isNew) this.#done.results.push(result);
    }
  }

  /** Gives a record the master's values where they are not its own; null when there is nothing to do. */
  *#change(follow: Follow): Generator<void, OperationResult | null> {
    const { resource, id, own_fields: own } = follow;
    const record: RecordType = records[resource];
    const [row, present] = [this.#masterOf(follow), this.#branchOf(follow)];
    if (!row || !present) return null;
    const isOwn = (name: string) => name in own;
    const values = valuesFor(this.#reading, record, row, present, isOwn);
    const taken = new Set(takenFields(this.#reading, record));
    const differing = differingFields(record, present, values).filter(
      (name) => taken.has(name) && !isOwn(name),
    );
    if (differing.length === 0) return null;
    const moves = differing.includes('category_id') && 'type_id' in values && !isOwn('type_id');
    const names = moves ? [...new Set([...differing, 'type_id'])] : differing;
    const data = Object.fromEntries(names.map((name) => [name, values[name]]));
    return yield* this.#operate({ resource, action: 'update', id, data });
  }

  /** Notes the branch's own values that hide others of the master. */
  #noteShadowed(follow: Follow, row: MenuRow): void {
    const { resource, own_fields: own } = follow;
    const record: RecordType = records[resource];
    const present = this.#branchOf(follow);
    if (!present) {
      this.#shadow(follow, undefined, DELETED, true, null);
      return;
    }
    if (Object.keys(own).length === 0) return;
    const values = valuesFor(this.#reading, record, row, present, (name) => name in own);
    for (const name of differingFields(record, present, values)) {
      const field = record.fields[name] as Field;
      if (!(name in own)) continue;
      const master = documentValue(field, values[name]);
      this.#shadow(follow, present, name, documentedValue(record, present, name), master);
    }
  }

  /** Whether records stand in one that would go with it. */
  #isUsed(record: RecordType, id: number): boolean {
    return referencesTo(record).some(
      ({ from, field, options }) =>
        options.onDelete === 'cascade' &&
        referringTo(listOf(this.#draft.menu, from), field, id).length > 0,
    );
  }

  /** Deletes what the master has deleted, but for photos, and sections in which others stand. */
  *#deleteAll(): Generator<void, void> {
    for (const collection of purgeOrder()) {
      const record = records[collection];
      const gone = [...this.#follows.values()].filter(
        (one) => one.resource === collection && !this.#masterOf(one),
      );
      const rows = new Map(gone.map((one) => [this.#branchOf(one), one]));
      const deepest = outerFirst(record, listOf(this.#draft.menu, record))
        .filter((row) => rows.has(row))
        .toReversed();
      for (const row of deepest) {
        yield;
        const follow = rows.get(row) as Follow;
        if (record.isUploaded) continue;
        if (this.#isUsed(record, row.id)) this.#shadow(follow, row, DELETED, null, true);
        else {
          const action = { resource: collection, action: 'delete', id: row.id };
          this.#done.results.push(yield* this.#operate(action));
        }
      }
      this.#done.ended.push(...gone);
    }
  }
}

/**
 * Plans to give a branch the master's menu on a draft of the branch's: new, changed, moved and deleted
 * records. Own fields stay, and records that follow none are not touched. A step is one record.
 */
export function planPublication(draft: Draft, chain: Chain): Generator<void, Publication> {
  return new Planner(draft, chain).plan();
}
