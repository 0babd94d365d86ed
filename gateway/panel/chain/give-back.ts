import type { Deviation } from '../../../db/chain/deviations.ts';
import { giveBackWrite } from '../../../db/chain/publication-writes.ts';
import { certain } from '../../../db/runtime/certain.ts';
import { groupBy } from '../../../db/runtime/group-by.ts';
import { DELETED, recordKey } from '../../../db/schema/chain.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { isResource, type Resource } from '../../../db/schema/values/resource.ts';
import type { WriteOutcome } from '../../../db/schema/write.ts';
import type { ChainBranch } from '../../../db/sql/chains.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import { type Form, formIdOf } from '../form.ts';
import { permitWrite } from '../permission.ts';
import { latePage } from '../writes/late.ts';
import { asFailed } from '../writes/save.ts';

/** A record of a house, and its fields that go back to the master. */
interface Returned {
  /** The slug of the house. */
  branch: string;
  resource: Resource;
  id: number;
  fields: readonly string[];
}

/** So many records are given back by one form. */
export const MAX_RECORDS = 500;
/** So many of these at a time. */
const AT_ONCE = 10;

/** How many records were given back, could not be, and are kept without a result yet. */
export interface GivenBack {
  done: number;
  failed: number;
  late: number;
}

/** The field that a form names; null when it names none. */
export function readReturned(form: Form): Returned | null {
  const resource = form.text('resource');
  const id = parseRecordId(form.text('id'));
  const field = form.text('field');
  if (!isResource(resource) || id === null || field === '') return null;
  return { branch: form.text('branch'), resource, id, fields: [field] };
}

/** The records of own fields, each with all of them. */
export function returnedOf(deviations: readonly Deviation[]): Returned[] {
  const present = deviations.filter(({ field }) => field !== DELETED);
  const records = groupBy(
    present,
    ({ branch, resource, id }) => `${branch}/${recordKey(resource, id)}`,
  );
  return [...records.values()].flatMap((all) => {
    const fields = all.map(({ field }) => field);
    return all.slice(0, 1).map(({ branch, resource, id }) => ({ branch, resource, id, fields }));
  });
}

const DONE: ReadonlySet<WriteOutcome['kind']> = new Set(['changed', 'unchanged']);

/**
 * Gives fields of records back to the master, a write of their house each. The same form that is sent
 * again is the same writes, and tells the results of late ones.
 *
 * @param houses those of the records among them
 */
export async function giveBackIn(
  { writes, session }: Desk,
  houses: readonly Pick<ChainBranch, 'id' | 'slug'>[],
  records: readonly Returned[],
  form: Form,
): Promise<GivenBack> {
  const ids = new Map(houses.map(({ id, slug }) => [slug, id]));
  const publisher = { kind: 'user', name: session.email } as const;
  const formId = formIdOf(form.text('form_id'));
  const one = async (record: Returned): Promise<keyof GivenBack> => {
    const { branch } = record;
    const tenantId = certain(ids.get(branch), `${branch} is no house of the chain`);
    const write = giveBackWrite(tenantId, record, publisher, formId);
    permitWrite(session.role, write);
    const settled = await writes.settle(write, branch).catch(asFailed);
    if ('kind' in settled) return 'failed';
    if (!settled.result) return 'late';
    return DONE.has(settled.result.outcome.kind) ? 'done' : 'failed';
  };
  const given: GivenBack = { done: 0, failed: 0, late: 0 };
  for (let at = 0; at < records.length; at += AT_ONCE) {
    const results = await Promise.all(records.slice(at, at + AT_ONCE).map(one));
    for (const state of results) given[state] += 1;
  }
  return given;
}

/** The page of fields that are not given back yet. It tells the result when there is one. */
export function lateReturn(desk: Desk, path: string): Promise<Answer> {
  return latePage(desk, null, { path, label: desk.say('chain.deviationsTitle') });
}
