import { randomBytes } from 'node:crypto';
import { alterRelease, OutdatedRelease } from '../../../db/actions/releases.ts';
import { currentOf } from '../../../db/menu/prepare-input.ts';
import type { Operation } from '../../../db/schema/bulk.ts';
import type { Field } from '../../../db/schema/field.ts';
import { documentValue, type RecordType, toDocument } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import type { Release } from '../../../db/schema/release.ts';
import { isCollection, type Resource } from '../../../db/schema/values/resource.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import type { AskedWrite, WriteResult } from '../../../db/schema/write.ts';
import { InvalidError } from '../../http/errors.ts';
import type { ChosenRelease } from '../chosen-release.ts';
import type { Desk } from '../desk.ts';
import { admitWrite, type TooMany } from './admit.ts';
import { keyOf, planAhead } from './planned-values.ts';

/** The writes that can wait in a release; the others are done at once. */
const WAITING: readonly AskedWrite['action'][] = ['create', 'change', 'delete', 'bulk'];

/** A checked body as a body of the API. */
function bodyOf({ fields }: RecordType, input: Row): Row {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const field: Field | undefined = fields[name];
      return [name, field && value !== null ? documentValue(field, value) : value];
    }),
  );
}

/** An external id for a record that a release makes. */
export function newKey(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

/** The operations that a write of a page asks for. */
async function operationsOf(desk: Desk, { release, edited }: ChosenRelease, asked: AskedWrite) {
  const { action, record_id: id = null, input = {}, document } = asked;
  if (action === 'bulk') return JSON.parse(String(document)).operations;
  const resource = asked.resource as Resource;
  const record = records[resource];
  const data = bodyOf(record, input);
  if (action === 'create') {
    // Other operations of the release may name a record that it makes.
    const external_id = edited ?? data.external_id ?? newKey();
    return [{ resource, action: 'create', data: { ...data, external_id } }];
  }
  const named = isCollection(resource) ? { resource, id } : { resource };
  if (action === 'delete') return [{ ...named, action: 'delete' }];
  const row = currentOf((await planAhead(desk, release)).before, resource, id);
  const before = row ? toDocument(record, row) : {};
  const expected = Object.keys(data).flatMap((name) =>
    name in before ? [[name, before[name]]] : [],
  );
  return [{ ...named, action: 'update', data, expected: Object.fromEntries(expected) }];
}

/**
 * The ids of records that added operations name, by their resource and external id: a program may have
 * named the same records by these.
 */
async function idsByKey(desk: Desk, release: Release, added: readonly Operation[]) {
  if (!release.operations.some(({ external_id }) => external_id)) return new Map();
  const { before } = await planAhead(desk, release);
  const entries = added.flatMap(({ resource, id }): [string, number][] => {
    if (typeof id !== 'number') return [];
    const key = currentOf(before, resource, id)?.external_id;
    return typeof key === 'string' ? [[`${resource}/${key}`, id]] : [];
  });
  return new Map(entries);
}

/** Whether it changes a record that is there, or may be. */
const isChange = ({ action }: Operation) => action === 'update' || action === 'upsert';

/**
 * Adds operations to others: a record has one change, which keeps the values that it began with.
 *
 * @param ids as of `idsByKey`
 * @param edited the external id of a new record of the first ones that the added ones make anew
 */
function joinOperations(
  before: readonly Operation[],
  added: readonly Operation[],
  ids: ReadonlyMap<string, number>,
  edited: string | null,
): Operation[] {
  const joined = new Map<string, Operation>();
  let created = 0;
  for (const one of [...before, ...added]) {
    const { action, resource, external_id = '' } = one;
    const { id = ids.get(`${resource}/${external_id}`) } = one;
    // A new record has no id yet.
    created += 1;
    const isEdited = edited !== null && keyOf(one) === edited;
    const newName = isEdited ? `new/${resource}/${edited}` : `new/${created}`;
    const name = action === 'create' ? newName : `${resource}/${id ?? external_id}`;
    const known = joined.get(name);
    const isSame = known?.action === action && action !== 'delete';
    const isJoined = known !== undefined && (isSame || (isChange(known) && isChange(one)));
    joined.set(
      name,
      isJoined
        ? {
            ...known,
            data: { ...known.data, ...one.data },
            ...(known.action === 'update' && { expected: { ...one.expected, ...known.expected } }),
          }
        : one,
    );
  }
  return [...joined.values()];
}

/** The result of a page's write; `kept`: it waits in a release, and nothing is done yet. */
export interface PageResult extends Pick<WriteResult, 'id' | 'record_id'> {
  outcome: WriteResult['outcome'] | { kind: 'kept' };
}

/**
 * Puts a write of a page into the release that its browser has chosen; null for one that is done at
 * once. The write has no id.
 *
 * @throws ForbiddenError when the role of the person does not allow it
 */
export async function keepInRelease(
  desk: Desk,
  asked: AskedWrite,
): Promise<PageResult | TooMany | null> {
  const { db, now, chosen, tenantId } = desk;
  if (!chosen || !WAITING.includes(asked.action)) return null;
  const tooMany = admitWrite(desk, asked);
  if (tooMany) return tooMany;
  const added = await operationsOf(desk, chosen, asked);
  const ids = await idsByKey(desk, chosen.release, added);
  const change = ({ operations }: Release) => ({
    operations: joinOperations(operations, added, ids, chosen.edited),
  });
  const answer = (outcome: PageResult['outcome']) => {
    return { id: '', record_id: asked.record_id ?? null, outcome };
  };
  try {
    const { id } = chosen.release;
    const changed = await alterRelease(db, tenantId, id, change, null, now());
    if (!changed || changed instanceof OutdatedRelease) return answer({ kind: 'missing' });
    chosen.took = true;
    return answer({ kind: 'kept' });
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return answer({ kind: 'invalid', errors: error.errors });
  }
}
