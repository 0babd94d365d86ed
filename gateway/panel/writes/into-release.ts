import { randomBytes } from 'node:crypto';
import { alterRelease, OutdatedRelease } from '../../../db/actions/releases.ts';
import type { Operation } from '../../../db/schema/bulk.ts';
import type { Field } from '../../../db/schema/field.ts';
import { documentValue, isSame, type RecordType, toDocument } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import { type Release, type ReleaseStep, stepsBefore } from '../../../db/schema/release.ts';
import { isCollection, type Resource } from '../../../db/schema/values/resource.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import type { Change } from '../../../db/schema/version.ts';
import type { NewWrite, WriteOutcome } from '../../../db/schema/write.ts';
import { findRecord } from '../../../db/sql/admin-records.ts';
import { findDifferencesOf, findEntryOfJob } from '../../../db/sql/history.ts';
import { listReleases } from '../../../db/sql/releases.ts';
import { InvalidError } from '../../http/errors.ts';
import type { DoneWrite } from '../../writes/results.ts';
import type { ChosenRelease } from '../chosen-release.ts';
import type { Desk } from '../desk.ts';

type Asked = Pick<NewWrite, 'resource' | 'action' | 'record_id' | 'input' | 'document'>;

/** The writes that can wait in a release; the others are done at once. */
export function canWait({ action }: Asked): boolean {
  return ['create', 'change', 'delete', 'bulk'].includes(action);
}

/** A checked body as a body of the API. */
function bodyOf({ fields }: RecordType, input: Row): Row {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const field: Field | undefined = fields[name];
      return [name, field && value !== null ? documentValue(field, value) : value];
    }),
  );
}

/** The bodies that releases have for a record, in the order in which they will come. */
export function bodiesFor(releases: readonly Release[], resource: Resource, id: number | null) {
  const isSame = (one: Operation) =>
    one.resource === resource &&
    one.action === 'update' &&
    (!isCollection(resource) || one.id === id);
  return releases.flatMap(({ operations }) =>
    operations.filter(isSame).map(({ data = {} }) => data),
  );
}

/** The steps of the clock before a release begins. */
export async function findStepsBefore({ db, request }: Desk, release: Release) {
  return stepsBefore(await listReleases(db, request.tenantId), release);
}

/** The releases of these steps that begin. */
export function beginningOf(steps: readonly ReleaseStep[]): Release[] {
  return steps.filter(({ isEnd }) => !isEnd).map(({ release }) => release);
}

/** The values of a record without the live releases that end before one begins. */
async function valuesTakenBack(
  { db, request: { tenantId } }: Desk,
  steps: readonly ReleaseStep[],
  { starts_at: start }: Release,
  resource: Resource,
  id: number | null,
  values: Row,
): Promise<Row> {
  const back = { ...values };
  const { sold_out_until: until } = back;
  if (start !== null && typeof until === 'string' && until <= start) back.sold_out_until = null;
  for (const { release } of steps.filter(({ isEnd }) => isEnd)) {
    const job = release.published_by;
    const entry = job === null ? null : await findEntryOfJob(db, tenantId, job);
    if (!entry) continue;
    const parts = await findDifferencesOf(db, tenantId, entry.version, entry.part);
    const isOwn = (one: Change) =>
      one.resource === resource && one.action === 'changed' && (id === null || one.id === id);
    for (const { fields } of parts.flatMap(({ changes }) => changes).filter(isOwn)) {
      for (const [name, [before, after]] of Object.entries(fields)) {
        if (name in back && isSame(back[name], after)) back[name] = before;
      }
    }
  }
  return back;
}

/** The values of fields before the release: those of the menu and of the releases before it. */
async function valuesBefore(desk: Desk, release: Release, resource: Resource, id: number | null) {
  const record = records[resource];
  const found = await findRecord(desk.db, resource, desk.request.tenantId, id);
  if (!found) return {};
  const steps = await findStepsBefore(desk, release);
  const present = toDocument(record, found.row);
  const back = await valuesTakenBack(desk, steps, release, resource, id, present);
  return Object.assign(back, ...bodiesFor(beginningOf(steps), resource, id));
}

/** The external id of a record that an operation makes; null for none. */
export function keyOf({ data, external_id }: Operation): string | null {
  const key = data?.external_id ?? external_id;
  return typeof key === 'string' ? key : null;
}

/** An external id for a record that a release makes. */
export function newKey(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

/** The operations that a write of a page asks for. */
async function operationsOf(
  desk: Desk,
  { release, edited }: ChosenRelease,
  asked: Asked,
): Promise<Operation[]> {
  const { action, record_id: id, input, document } = asked;
  if (action === 'bulk') return JSON.parse(String(document)).operations;
  const resource = asked.resource as Resource;
  const data = bodyOf(records[resource], input);
  if (action === 'create') {
    // Other operations of the release may name a record that it makes.
    const external_id = edited ?? data.external_id ?? newKey();
    return [{ resource, action: 'create', data: { ...data, external_id } }];
  }
  const named = isCollection(resource) ? { resource, id } : { resource };
  if (action === 'delete') return [{ ...named, action: 'delete' }];
  const before = await valuesBefore(desk, release, resource, id);
  const expected = Object.keys(data).flatMap((name) =>
    name in before ? [[name, before[name]]] : [],
  );
  return [{ ...named, action: 'update', data, expected: Object.fromEntries(expected) }];
}

/**
 * Adds operations to others: a record has one change, which keeps the values that it began with.
 *
 * @param edited the external id of a new record of the first ones that the added ones make anew
 */
function joinOperations(
  before: readonly Operation[],
  added: readonly Operation[],
  edited: string | null,
): Operation[] {
  const joined = new Map<string, Operation>();
  let created = 0;
  for (const one of [...before, ...added]) {
    const { action, resource, id } = one;
    // A new record has no id yet.
    created += 1;
    const isEdited = edited !== null && keyOf(one) === edited;
    const newName = isEdited ? `new/${resource}/${edited}` : `new/${created}`;
    const name = action === 'create' ? newName : `${resource}/${id ?? one.external_id ?? ''}`;
    const known = joined.get(name);
    const isJoined = known?.action === action && action !== 'delete';
    joined.set(
      name,
      isJoined
        ? {
            ...known,
            data: { ...known.data, ...one.data },
            ...(action === 'update' && { expected: { ...one.expected, ...known.expected } }),
          }
        : one,
    );
  }
  return [...joined.values()];
}

function settled(id: string, { resource, record_id, input }: Asked, outcome: WriteOutcome | null) {
  const record = { ...input, name_translations: input.name ?? {} };
  const at = new Date().toISOString();
  const done: WriteOutcome = outcome ?? { kind: 'changed', record, etag: '""', at };
  return { id, result: { id, resource, record_id, outcome: done, version: 0 } };
}

/** Each operation as done, as a bulk write says it. */
function bulkOutcome(operations: readonly Operation[]): WriteOutcome {
  const results = operations.map(({ resource, id, data, expected }, index) => ({
    ...{ index, path: `operations.${index}`, resource },
    ...{ outcome: 'updated' as const, id: id ?? null, external_id: null, errors: {} },
    changes: Object.fromEntries(
      Object.entries(data ?? {}).map(([name, value]) => [name, [expected?.[name] ?? null, value]]),
    ),
  }));
  const at = new Date().toISOString();
  return { kind: 'bulk', applied: true, dry_run: false, results, ignored: [], at };
}

/** Puts a write of a page into the release that its browser has chosen. */
export async function saveIntoRelease(
  desk: Desk,
  chosen: ChosenRelease,
  id: string,
  asked: Asked,
): Promise<DoneWrite> {
  const { db, request, now } = desk;
  const added = await operationsOf(desk, chosen, asked);
  const change = ({ operations }: Release) => ({
    operations: joinOperations(operations, added, chosen.edited),
  });
  try {
    const { id: releaseId } = chosen.release;
    const changed = await alterRelease(db, request.tenantId, releaseId, change, null, now());
    if (!changed || changed instanceof OutdatedRelease) {
      return settled(id, asked, { kind: 'missing' });
    }
    chosen.took = true;
    return settled(id, asked, asked.action === 'bulk' ? bulkOutcome(added) : null);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return settled(id, asked, { kind: 'invalid', errors: error.errors });
  }
}
