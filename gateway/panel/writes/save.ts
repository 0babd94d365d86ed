import { createHash } from 'node:crypto';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import { type Action, records } from '../../../db/schema/registry.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import type { FieldErrors } from '../../../db/schema/validation/rule.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import { type AskedWrite, newWrite, type WriteResult } from '../../../db/schema/write.ts';
import type { Say } from '../../../db/texts/say.ts';
import { UnavailableError } from '../../http/errors.ts';
import type { Desk } from '../desk.ts';
import { admitWrite, type TooMany } from './admit.ts';
import { keepInRelease, type PageResult } from './into-release.ts';
import { withPlannedReferences } from './planned-values.ts';

/** Makes of an outage that a write has failed: `sendWrite(…).catch(asFailed)`. */
export function asFailed(error: unknown): { kind: 'failed' } {
  if (error instanceof UnavailableError) return { kind: 'failed' };
  throw error;
}

/** A write is kept and has no result yet. The panel shows a page that follows it. */
export class LateWriteError extends Error {
  override name = 'LateWriteError';

  readonly late: LateWrite;

  constructor(late: LateWrite) {
    super('a write has no result yet');
    this.late = late;
  }
}

interface LateWrite {
  write: string;
  canUndo: boolean;
  /** The page that follows when it is done; null: the page whose form sent it. */
  next: string | null;
}

/**
 * Hands a page's write to the queue and waits for its result, as the API does.
 *
 * @param key names what was asked for: the same form that is sent again is one write
 * @param next as of `LateWriteError`
 * @throws ForbiddenError when the role of the person does not allow it
 * @throws LateWriteError when there is no result in time
 * @throws UnavailableError when the queue is full or Postgres does not answer
 */
export async function sendWrite(
  desk: Desk,
  asked: AskedWrite,
  key: readonly unknown[],
  next: string | null = null,
): Promise<WriteResult | TooMany> {
  const { request, session, writes, tenantId } = desk;
  const tooMany = admitWrite(desk, asked);
  if (tooMany) return tooMany;
  const name = JSON.stringify([asked.resource, asked.action, asked.record_id, ...key]);
  const digest = createHash('sha256').update(name).digest();
  const idempotency_key = `panel-${digest.toString('hex')}`;
  const write = newWrite({
    ...asked,
    ...{ tenant_id: tenantId, token_id: -session.user_id, idempotency_key, request_hash: digest },
  });
  const { id, result } = await writes.settle(write, request.context.restaurant.tenant.slug);
  if (result) return result;
  const canUndo = asked.resource !== 'menu' || asked.action === 'bulk';
  throw new LateWriteError({ write: id, canUndo, next });
}

interface PageWrite {
  resource: Resource;
  action: Action;
  recordId: number | null;
  /** A body as the API takes it. */
  input: Row;
  ifMatch: string | null;
  /** Names what was asked for: the same form that is sent again is one write. */
  key: readonly unknown[];
  /** The page that follows when the result is late; by default the page of the form. */
  next?: string;
}

/** The result of a change. */
export type Saved =
  /** `write` takes it back; nothing does where it went into a release. */
  | { kind: 'done'; recordId: number | null; record: Row | null; write: string }
  /** The record is not the one that was seen. This is how it is now. */
  | { kind: 'outdated'; record: Row; etag: string }
  /** Texts in the page's language, by field. */
  | { kind: 'invalid'; errors: Record<string, string> }
  | { kind: 'missing' | 'failed' }
  | TooMany;

/** The first broken rule of each field, in words. */
function firstOf(say: Say, errors: FieldErrors): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, [one]]) => (one ? [[field, sayBroken(say, one)]] : [])),
  );
}

function outcomeOf(say: Say, { id: write, outcome, record_id: recordId }: PageResult): Saved {
  switch (outcome.kind) {
    case 'created':
    case 'changed':
    case 'unchanged':
    case 'restored':
      return { kind: 'done', recordId, record: outcome.record, write };
    case 'deleted':
    case 'kept':
      return { kind: 'done', recordId, record: null, write };
    case 'outdated':
      return { kind: 'outdated', record: outcome.record, etag: outcome.etag };
    case 'invalid':
      return { kind: 'invalid', errors: firstOf(say, outcome.errors) };
    case 'missing':
      return { kind: 'missing' };
    default:
      return { kind: 'failed' };
  }
}

/** Checks a body by the rules of its record's fields. */
export function checkBody({ request }: Desk, resource: Resource, isNew: boolean, body: Row) {
  const { input, change } = records[resource];
  return checkInput(isNew ? input : change, body, request.context.restaurant.tenant);
}

/** The errors of a body, in the page's language. */
export function shapeErrors(
  desk: Desk,
  { resource, action, input }: Pick<PageWrite, 'resource' | 'action' | 'input'>,
): Record<string, string> {
  const checked = checkBody(desk, resource, action === 'create', input);
  return 'errors' in checked ? firstOf(desk.say, checked.errors) : {};
}

/**
 * Does a write as the API does: checked by the same rules, in the same queue, with the same result.
 *
 * @throws LateWriteError when there is no result in time
 * @throws UnavailableError when the queue is full or Postgres does not answer
 */
export async function save(desk: Desk, asked: PageWrite): Promise<Saved> {
  const { resource, action, recordId, ifMatch, key, next } = asked;
  const { say } = desk;
  const input = desk.chosen ? withPlannedReferences(asked.input) : asked.input;
  const checked = checkBody(desk, resource, action === 'create', input);
  if ('errors' in checked) return { kind: 'invalid', errors: firstOf(say, checked.errors) };
  const write = {
    ...{ resource, action, record_id: recordId },
    input: action === 'delete' || action === 'restore' ? {} : checked.input,
    expected_tags: ifMatch === null ? null : [ifMatch],
  };
  const kept = await keepInRelease(desk, write);
  const sent = kept ?? (await sendWrite(desk, write, key, next));
  return 'kind' in sent ? sent : outcomeOf(say, sent);
}
