import { randomUUID } from 'node:crypto';
import type { PastRow } from '../history/past-menu.ts';
import { chainErrors } from '../menu/chain-guard.ts';
import type { Draft } from '../menu/draft.ts';
import { currentOf, inputSettingsOf, storedInput, withDefaults } from '../menu/prepare-input.ts';
import { checkAgainstMenu } from '../menu/rules.ts';
import { DOCUMENT_ORDER, type OperationResult } from '../schema/bulk.ts';
import type { Field } from '../schema/field.ts';
import {
  newRow,
  type RecordType,
  saysSame,
  toDocument,
  toSent,
  writtenRow,
} from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import { checkInput } from '../schema/validation/check-input.ts';
import type { FieldErrors } from '../schema/validation/rule.ts';
import { type Resource, SINGLETONS } from '../schema/values/resource.ts';
import type { Row } from '../schema/values/row.ts';
import type { MenuRow } from '../sql/menus.ts';

/** A record as it is to be. */
export interface RecordTarget {
  resource: Resource;
  id: number;
  /** The record as documents have it; null when it is to go. */
  row: PastRow | null;
}

type Verdict = Pick<OperationResult, 'outcome' | 'errors' | 'changes'>;

const NOTHING: Verdict = { outcome: 'unchanged', errors: {}, changes: {} };
const failed = (errors: FieldErrors): Verdict => ({ outcome: 'failed', errors, changes: {} });

function bringBack(draft: Draft, { resource, id }: RecordTarget, fields: Row): Verdict {
  const record = records[resource];
  const checked = checkInput(record.input, fields, inputSettingsOf(draft.menu));
  if ('errors' in checked) return failed(checked.errors);
  const input = storedInput(draft.menu, record, checked.input, undefined);
  // The row of a photo still has all that its upload gave it.
  const whole = record.isUploaded ? input : withDefaults(draft.menu, record, input);
  draft.restore(resource, id, whole, newRow(record, checked.input, whole));
  const set = Object.entries(fields).filter(([, value]) => value !== null);
  const changes = Object.fromEntries(set.map(([name, value]) => [name, [null, value]]));
  return { outcome: 'restored', errors: {}, changes };
}

function changeBack(draft: Draft, target: RecordTarget, fields: Row, current: MenuRow): Verdict {
  const { resource } = target;
  const record = records[resource];
  // Its key may have been freed in the draft, and is stored all the same.
  const { external_id } = currentOf(draft.before, target.resource, target.id) ?? current;
  const present = toDocument(record, { ...current, external_id });
  const names = Object.keys(present).filter(
    (name) => !saysSame(record.fields[name] as Field, present[name], fields[name]),
  );
  if (names.length === 0) return NOTHING;
  // A type belongs to its section: with another section it is written, too.
  const isMove = names.includes('category_id') && 'type_id' in fields;
  const sent = [...names, ...(isMove ? ['type_id'] : [])];
  const asked = Object.fromEntries(sent.map((name) => [name, fields[name]]));
  const checked = checkInput(record.change, asked, inputSettingsOf(draft.menu));
  if ('errors' in checked) return failed(checked.errors);
  const input = storedInput(draft.menu, record, checked.input, current);
  const written = writtenRow(record, checked.input, input);
  const barred = chainErrors(draft.menu, resource, names, current, written);
  if (Object.keys(barred).length > 0) return failed(barred);
  draft.patch(resource, current, input, written);
  const changes = names.map((name) => [name, [present[name], fields[name]]]);
  return { outcome: 'updated', errors: {}, changes: Object.fromEntries(changes) };
}

/** Targets in an order in which a record comes after those that it names. */
function inOrder(targets: readonly RecordTarget[]): RecordTarget[] {
  const order: readonly Resource[] = [...SINGLETONS, ...DOCUMENT_ORDER];
  const placeOf = ({ resource }: RecordTarget) => order.indexOf(resource);
  return [...targets].sort((left, right) => placeOf(left) - placeOf(right));
}

/** Those whose external ids others may get, or that get one that others have had. */
function* freeKeys(draft: Draft, targets: readonly RecordTarget[]): Generator<void, void> {
  for (const target of targets) {
    yield;
    const key = currentOf(draft.menu, target.resource, target.id)?.external_id ?? null;
    if (key !== null && target.row?.external_id !== key) draft.freeKey(target.resource, target.id);
  }
}

function errorsOf(draft: Draft, target: RecordTarget): FieldErrors {
  const row = currentOf(draft.menu, target.resource, target.id);
  if (!row) return {};
  const record: RecordType = records[target.resource];
  return checkAgainstMenu(draft.menu, target.resource, toSent(record, row), row);
}

/**
 * Makes records of a draft what they are to be, whatever they are now, and checks those that it has
 * written when all are done: only then they fit each other. A step is one record.
 *
 * @returns the result of each, without those that are so already
 */
export function* reachTargets(
  draft: Draft,
  targets: readonly RecordTarget[],
): Generator<void, OperationResult[]> {
  yield* freeKeys(draft, targets);
  const done: { target: RecordTarget; verdict: Verdict; before: MenuRow | undefined }[] = [];
  const ordered = inOrder(targets);
  for (const target of ordered) {
    yield;
    if (!target.row) continue;
    const { id: _id, ...fields } = target.row;
    const before = currentOf(draft.menu, target.resource, target.id);
    const verdict = before
      ? changeBack(draft, target, fields, before)
      : bringBack(draft, target, fields);
    done.push({ target, verdict, before });
  }
  const gone = ordered.flatMap((target) => {
    const before = target.row ? undefined : currentOf(draft.menu, target.resource, target.id);
    return before ? [{ target, verdict: { ...NOTHING, outcome: 'deleted' as const }, before }] : [];
  });
  const sections = gone.filter(({ target }) => target.resource === 'categories');
  const going = new Set<unknown>(sections.map(({ target }) => target.id));
  for (const { target, before } of gone) {
    yield;
    // A section takes along those in it: they come back with it when it is restored.
    if (going.has(before[records[target.resource].parent ?? ''])) continue;
    draft.remove(target.resource, target.id, randomUUID());
  }
  done.push(...gone);
  const results: OperationResult[] = [];
  for (const { target, verdict, before } of done) {
    yield;
    if (verdict.outcome === 'unchanged') continue;
    const errors = verdict.outcome === 'failed' ? verdict.errors : errorsOf(draft, target);
    const isWrong = Object.keys(errors).length > 0;
    const { resource, id } = target;
    const key = target.row?.external_id ?? before?.external_id;
    const external_id = typeof key === 'string' ? key : null;
    const place = { index: results.length, path: '', resource, id, external_id };
    results.push({ ...place, ...(isWrong ? failed(errors) : verdict) });
  }
  return results;
}
