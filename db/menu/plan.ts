import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import {
  type Operation as BulkOperation,
  type OperationResult,
  operationSchema,
} from '../schema/bulk.ts';
import type { Field } from '../schema/field.ts';
import {
  documentValue,
  newRow,
  type RecordType,
  saysSame,
  sentValue,
  toSent,
  writtenRow,
} from '../schema/record.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import {
  checkInput,
  createIgnoredFields,
  errorsOf,
  type IgnoredFields,
  type Input,
} from '../schema/validation/check-input.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import { isCollection, type Resource } from '../schema/values/resource.ts';
import { isObject } from '../schema/values/row.ts';
import type { MenuRow } from '../sql/menus.ts';
import { chainErrors } from './chain-guard.ts';
import { type Draft, present } from './draft.ts';
import { mergedBody } from './merged-body.ts';
import {
  currentOf,
  inputSettingsOf,
  isMove,
  prepareInput,
  storedInput,
  withPlace,
} from './prepare-input.ts';
import { otherThanPrices } from './price-changes.ts';
import { inItsPlace, type Returning, showAgain } from './returning.ts';
import { checkMoments, checkReturn, type Earliest } from './rules.ts';
import { recordByKey, recordOf } from './working-menu.ts';

/** The fields of a checked body that differ from what there is. */
function changesOf(record: RecordType, current: MenuRow | undefined, input: Input) {
  const own = Object.keys(record.fields).filter((name) => name in input);
  const changed = own.flatMap((name) => {
    const field = record.fields[name] as Field;
    const old = (current && sentValue(record, current, name)) ?? null;
    const now = input[name] ?? null;
    if (saysSame(field, old, now)) return [];
    return [[name, [old, now].map((one) => one && documentValue(field, one))]];
  });
  return Object.fromEntries(changed) as OperationResult['changes'];
}

/** The fields of a record that do not have the values that an operation expects. */
function unexpected(record: RecordType, current: MenuRow, expected: Input): FieldErrors {
  const isOther = ([name, value]: [string, unknown]) => {
    const field = record.fields[name];
    const now = (field?.input && sentValue(record, current, name)) ?? null;
    return !field || !saysSame(field, now && documentValue(field, now), value);
  };
  const others = Object.entries(expected).filter(isOther);
  return Object.fromEntries(others.map(([name]) => [name, [broken('outdated')]]));
}

/** The body as it is stored, except for fields that a body says in another form. */
function sentForm(record: RecordType, sent: Input, input: Input, current?: MenuRow): Input {
  const shown = Object.entries(record.asShown?.({ ...current, ...input }) ?? {});
  const own = Object.fromEntries(shown.filter(([name]) => name in input));
  return { ...input, ...own, ...('allergens' in sent && { allergens: sent.allergens }) };
}

/**
 * A body without the fields that stay as they are. A reference among them may hide a deleted record,
 * which the record names again when that is restored.
 */
function changedPart(
  { fields, asShown }: RecordType,
  body: Input,
  changes: OperationResult['changes'],
  current: MenuRow,
): Input {
  // These were compared in another form.
  const others = asShown?.(current) ?? {};
  const isChanged = (name: string) => name in changes || name in others || !(name in fields);
  return Object.fromEntries(Object.entries(body).filter(([name]) => isChanged(name)));
}

/** An operation of a client, or one of ours: these may bring records back, too. */
type Operation = Omit<BulkOperation, 'action'> & {
  action: BulkOperation['action'] | 'restore';
};

interface Step {
  draft: Draft;
  /** Whether the data are a body whose shape is checked. */
  isChecked: boolean;
  /** Whether two operations for one record are a mistake. */
  namesOnce: boolean;
  /** Moments before it that an operation sets are a mistake; null for none. */
  earliest: Earliest | null;
  /** The fields of existing records that may change; null for all. */
  fields: ReadonlySet<string> | null;
  /** Whether prices alone may change. */
  pricesOnly: boolean;
  returning: Returning;
  /** Records that operations of this plan have changed or created. */
  handled: Set<string>;
  ignored: IgnoredFields;
  /** Prefix of the fields' names in `ignored`. */
  path: string;
}

type Verdict = Pick<OperationResult, 'outcome' | 'id' | 'external_id' | 'errors' | 'changes'>;

function toVerdict(
  outcome: Verdict['outcome'],
  target: MenuRow | undefined,
  errors: FieldErrors,
  changes: Verdict['changes'],
): Verdict {
  const external_id = (target?.external_id as string | undefined) ?? null;
  return { outcome, id: target?.id ?? null, external_id, errors, changes };
}

function failed(errors: FieldErrors, target?: MenuRow): Verdict {
  return toVerdict('failed', target, errors, {});
}

/** The part of a body that may change an existing record. */
function allowed(fields: Step['fields'], body: Input): Input {
  if (!fields) return body;
  const isAllowed = (name: string) =>
    fields.has(name) || fields.has(name.replace(/_external_id$/, '_id'));
  return Object.fromEntries(Object.entries(body).filter(([name]) => isAllowed(name)));
}

/** The body of an operation, its shape checked, or what is wrong with it. */
function readData(
  { draft, ignored, path, isChecked, fields }: Step,
  record: RecordType,
  operation: Operation,
  current: MenuRow | undefined,
) {
  if (isChecked) return { input: operation.data ?? {} };
  const { data = {}, external_id } = operation;
  // A record that was found by its id has no external id yet: it gets this one.
  const isNamed = external_id && (!current || current.external_id === null);
  const whole = isNamed ? { external_id, ...data } : data;
  const isMerged = current && operation.action === 'upsert';
  const merged = isMerged ? mergedBody(record, whole, current) : whole;
  const body = current ? allowed(fields, merged) : whole;
  const checked = checkInput(
    current ? record.change : record.input,
    body,
    inputSettingsOf(draft.menu),
  );
  if ('input' in checked) {
    // Two keys for one new record: the next request would look for the other one.
    if (isNamed && 'external_id' in body && checked.input.external_id !== external_id) {
      return { errors: { external_id: [broken('invalid')] } };
    }
    const prefix = path === '' ? '' : `${path}.`;
    for (const field of checked.ignored) ignored.note({ [`${prefix}${field}`]: null }, []);
  }
  return checked;
}

function createRecord(step: Step, resource: Resource, operation: Operation): Verdict {
  const record = records[resource];
  const { draft, isChecked } = step;
  if (record.isUploaded && !isChecked) return failed({ action: [broken('invalid')] });
  const checked = readData(step, record, operation, undefined);
  if ('errors' in checked) return failed(checked.errors);
  const { input, errors } = prepareInput(draft.menu, resource, checked.input, null);
  if (step.earliest) Object.assign(errors, checkMoments(record, input, undefined, step.earliest));
  if (Object.keys(errors).length > 0) return failed(errors);
  const placed = withPlace(draft.menu, record, input);
  const row = draft.create(resource, placed, newRow(record, checked.input, placed));
  const changes = changesOf(record, undefined, sentForm(record, checked.input, input));
  return toVerdict('created', row, {}, changes);
}

/** The price of a dish with sizes follows from these: another one that is sent changes nothing. */
function noteFollowing({ ignored, path }: Step, sent: Input, input: Input): void {
  if (sent.price === undefined || sent.price === input.price) return;
  ignored.note({ [path === '' ? 'price' : `${path}.price`]: null }, []);
}

function changeRecord(step: Step, resource: Resource, operation: Operation, current: MenuRow) {
  const record = records[resource];
  const { draft } = step;
  const id = record.isSingleton ? null : current.id;
  const checked = readData(step, record, operation, current);
  if ('errors' in checked) return failed(checked.errors, current);
  const prepared = prepareInput(draft.menu, resource, checked.input, id);
  const { errors } = prepared;
  if (step.earliest) {
    Object.assign(errors, checkMoments(record, prepared.input, current, step.earliest));
  }
  if (Object.keys(errors).length > 0) return failed(errors, current);
  const moves = resource === 'items' && isMove(draft.menu, resource, prepared.input, id);
  const whole = moves ? { type_id: null, ...prepared.input } : prepared.input;
  noteFollowing(step, checked.input, whole);
  const changes = changesOf(record, current, sentForm(record, checked.input, whole, current));
  if (Object.keys(changes).length === 0) return toVerdict('unchanged', current, {}, changes);
  const others = step.pricesOnly ? otherThanPrices(changes) : [];
  if (others.length > 0) {
    return failed(
      Object.fromEntries(others.map((name) => [name, [broken('onlyPrices')]])),
      current,
    );
  }
  // In another section hidden references are gone, too.
  const part = (body: Input) => (moves ? body : changedPart(record, body, changes, current));
  const input = part(whole);
  const written = writtenRow(record, part(checked.input), input);
  const barred = chainErrors(draft.menu, resource, Object.keys(changes), current, written);
  if (Object.keys(barred).length > 0) return failed(barred, current);
  return toVerdict('updated', draft.patch(resource, current, input, written), {}, changes);
}

/** @param operation its data are a stored row, with references to records that may be deleted */
function restoreRecord({ draft }: Step, resource: Resource, operation: Operation): Verdict {
  const record = records[resource];
  const row = operation.data as MenuRow;
  const errors = checkReturn(draft.menu, record, row);
  return Object.keys(errors).length > 0 ? failed(errors) : putBack(draft, record, row);
}

/** Puts a deleted record back into the menu, without a reference to one that is not there. */
function putBack(draft: Draft, record: RecordType, row: MenuRow): Verdict {
  const shown = { ...row };
  for (const { field, to, options } of referencesFrom(record)) {
    shown[field] = present(draft.menu, record, field, row[field]);
    const { within } = options;
    const named = within ? recordOf(draft.menu, to, row[field]) : undefined;
    if (within && named?.[within] !== row[within]) shown[field] = null;
  }
  const input = storedInput(draft.menu, record, toSent(record, row), undefined);
  return toVerdict('restored', draft.restore(record.resource, row.id, input, shown), {}, {});
}

/** A deleted record whose key comes back: it returns with all that it had, and is changed then. */
function bringBack(step: Step, resource: Resource, operation: Operation, back: MenuRow): Verdict {
  const record = records[resource];
  const { draft } = step;
  const { data = {} } = operation;
  const row = inItsPlace(draft.menu, record, back, data);
  // A field that is sent may mend its former value.
  const isLasting = (path: string) => !(String(path.split('.')[0]) in data);
  if (!row || Object.keys(checkReturn(draft.menu, record, row)).some(isLasting)) {
    return createRecord(step, resource, operation);
  }
  putBack(draft, record, row);
  const current = recordOf(draft.menu, record, back.id) ?? row;
  const changed = changeRecord(step, resource, operation, current);
  if (changed.outcome !== 'failed') {
    // A record that is deleted by the same document is new when its key comes once more.
    step.returning.deleted.delete(`${resource}/${operation.external_id}`);
    showAgain(draft, step.returning, resource, row);
    return { ...changed, outcome: 'restored' };
  }
  draft.remove(resource, back.id, randomUUID());
  return { ...changed, id: null };
}

/** The record that an operation names, where it is there. */
function targetOf({ draft }: Step, resource: Resource, { id, external_id }: Operation) {
  const record = records[resource];
  if (record.isSingleton) return currentOf(draft.menu, resource, null);
  if (typeof external_id === 'string') {
    const named = recordByKey(draft.menu, record, external_id);
    if (named || typeof id !== 'number') return named;
  }
  const found = typeof id === 'number' ? recordOf(draft.menu, record, id) : undefined;
  // An id of another installation may be that of another record here.
  const isOther = typeof external_id === 'string' && found && found.external_id !== null;
  return isOther ? undefined : found;
}

function apply(step: Step, operation: Operation, errors: FieldErrors = {}): Verdict {
  const { action } = operation;
  const resource = operation.resource;
  const isOne = !isCollection(resource);
  const isKnown = step.pricesOnly && (action === 'update' || action === 'upsert');
  if (step.pricesOnly && !(isKnown && targetOf(step, resource, operation))) {
    return failed({ action: [broken('onlyPrices')] });
  }
  if (action === 'restore') return restoreRecord(step, resource, operation);
  const target = targetOf(step, resource, operation);
  if (Object.keys(errors).length > 0) return failed(errors, target);
  if (isOne && (action === 'create' || action === 'delete')) {
    return failed({ action: [broken('invalid')] });
  }
  if (action === 'create' || (action === 'upsert' && !target)) {
    // An upload of what is there already is that photo.
    const key = records[resource].isUploaded ? operation.data?.external_id : undefined;
    const same = recordByKey(step.draft.menu, records[resource], key);
    if (same && step.isChecked) return toVerdict('unchanged', same, {}, {});
    const back =
      action === 'upsert' && step.returning.deleted.get(`${resource}/${operation.external_id}`);
    return back
      ? bringBack(step, resource, operation, back)
      : createRecord(step, resource, operation);
  }
  const name = typeof operation.external_id === 'string' ? 'external_id' : 'id';
  if (!target) {
    const isSent = operation[name] !== undefined && operation[name] !== null;
    return failed({ [name]: [isSent ? broken('invalid') : broken('required')] });
  }
  if (step.namesOnce && step.handled.has(`${resource}/${target.id}`)) {
    return failed({ [name]: [broken('unique')] }, target);
  }
  const { expected } = operation;
  const outdated = expected ? unexpected(records[resource], target, expected) : {};
  if (Object.keys(outdated).length > 0) return failed(outdated, target);
  if (action !== 'delete') return changeRecord(step, resource, operation, target);
  step.draft.remove(resource, target.id, randomUUID());
  return toVerdict('deleted', target, {}, {});
}

/** An operation, of a document unchecked. */
export interface SentOperation {
  operation: unknown;
  /** Whether it is one of ours: its data are a checked body, or the stored row that comes back. */
  isChecked?: true;
  /** Its path in the document, for errors. */
  path: string;
  /** Errors that were found before: it is not done. */
  errors?: FieldErrors | undefined;
  /** The row of a table in which its record stands, as a spreadsheet counts. */
  row?: number | undefined;
  /** A name by which later operations refer to its record, beside its external id. */
  name?: string | undefined;
}

const OPERATION_FIELDS = Object.keys(operationSchema.entries);

/** Whether a client has written the operation itself; those of imports are made of records. */
const isSent = (path: string) => path.startsWith('operations.');

/**
 * Does operations one after the other to a draft of a menu; each sees what the earlier ones did. A
 * failed operation does nothing. A step is one operation.
 */
export function* planOperations(
  draft: Draft,
  operations: readonly SentOperation[],
  rules: Pick<Step, 'namesOnce' | 'earliest'> &
    Partial<Pick<Step, 'fields' | 'returning' | 'pricesOnly'>>,
): Generator<void, { results: OperationResult[]; ignored: readonly string[] }> {
  const ignored = createIgnoredFields();
  const results: OperationResult[] = [];
  const handled = new Set<string>();
  const returning = { deleted: new Map(), hidden: new Map() };
  const all = { draft, handled, ignored, fields: null, pricesOnly: false, returning, ...rules };
  for (const [index, sent] of operations.entries()) {
    const { operation, path, row, name, isChecked = false } = sent;
    const checked = isChecked
      ? { success: true as const, output: operation as Operation }
      : v.safeParse(operationSchema, operation);
    const resource = checked.success ? checked.output.resource : null;
    // A misspelt `expected` would guard nothing.
    if (isSent(path) && isObject(operation)) ignored.note(operation, OPERATION_FIELDS, path);
    const verdict = checked.success
      ? apply({ ...all, path, isChecked }, checked.output, sent.errors)
      : failed(isObject(operation) ? errorsOf(checked.issues) : { '': [broken('object')] });
    results.push({ index, path, ...(row && { row }), resource, ...verdict });
    if (verdict.id) handled.add(`${resource}/${verdict.id}`);
    if (name && resource && verdict.id) draft.alias(resource, name, verdict.id);
    yield;
  }
  return { results, ignored: ignored.paths() };
}
