import { createHash } from 'node:crypto';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/with-timeout.ts';
import {
  type Action,
  COLLECTIONS,
  type Resource,
  records,
  SINGLETONS,
} from '../../db/schema/registry.ts';
import { checkInput, type Input, isObject } from '../../db/schema/validation/check-input.ts';
import { ruleTexts } from '../../db/schema/validation/messages.ts';
import { IDEMPOTENCY_KEY, type NewWrite } from '../../db/schema/write.ts';
import type { StoredToken } from '../../db/sql/access/find-tokens.ts';
import type { Answer } from '../http/answer.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { pathId } from '../http/path-id.ts';
import type { AdminRoute } from '../pipeline/admin-route.ts';
import { InvalidError, UnavailableError } from '../pipeline/errors.ts';
import type { CallContext } from '../pipeline/route.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { makeUuidV7 } from '../uuid-v7.ts';
import type { ReadJob } from './job-route.ts';
import type { Results } from './results.ts';
import type { Submitter } from './submitter.ts';
import { acceptedAnswer, resultAnswer } from './write-answer.ts';

export interface WriteOptions {
  submitter: Submitter;
  results: Results;
  store: Pick<SnapshotStore, 'whenServed'>;
  readJob: ReadJob;
  constants: Pick<Constants, 'writeWait' | 'writeSecuredAfter'>;
}

/** An endpoint that changes something. */
interface Target {
  method: AdminRoute['method'];
  path: string;
  resource: Resource;
  action: Action;
}

const TARGETS: Target[] = [
  ...COLLECTIONS.flatMap((resource): Target[] => [
    { method: 'POST', path: `/${resource}`, resource, action: 'create' },
    { method: 'PUT', path: `/${resource}/:id`, resource, action: 'change' },
    { method: 'PATCH', path: `/${resource}/:id`, resource, action: 'change' },
    { method: 'DELETE', path: `/${resource}/:id`, resource, action: 'delete' },
    { method: 'POST', path: `/${resource}/:id/restore`, resource, action: 'restore' },
  ]),
  ...SINGLETONS.flatMap((resource): Target[] => [
    { method: 'PUT', path: `/${resource}`, resource, action: 'change' },
    { method: 'PATCH', path: `/${resource}`, resource, action: 'change' },
  ]),
];

/** @throws InvalidError, UnsupportedTypeError */
function readInput({ resource, action }: Target, context: CallContext, body: Buffer): Input {
  if (action !== 'create' && action !== 'change') return {};
  const value = parseJsonBody(context.headers, body);
  const { input, change } = records[resource];
  const schema = action === 'create' ? input : change;
  const checked = checkInput(schema, value);
  if ('errors' in checked) throw new InvalidError(checked.errors);
  // No field of a change is required, so that nothing else would say that this is not a change.
  if (!isObject(value)) {
    throw new InvalidError({ body: [ruleTexts.format('body')] });
  }
  return checked.input;
}

/** @throws InvalidError */
function readIdempotencyKey(headers: ReadonlyMap<string, string>): string | null {
  const key = headers.get('idempotency-key')?.trim();
  if (key === undefined) return null;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new InvalidError({ idempotency_key: [ruleTexts.format('idempotency_key')] });
  }
  const longest = constants.maxIdempotencyKeyLength;
  if (key.length > longest) {
    const text = ruleTexts.maxLength('idempotency_key', longest);
    throw new InvalidError({ idempotency_key: [text] });
  }
  return key;
}

function readWrite(
  target: Target,
  context: CallContext,
  token: StoredToken,
  body: Buffer,
): NewWrite {
  const { tenant, headers, param } = context;
  const { resource, action } = target;
  const ifMatch = headers.get('if-match') ?? null;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([target.method, target.path, param, ifMatch])).update(body);
  return {
    tenant_id: tenant.id,
    id: makeUuidV7(),
    token_id: token.id,
    resource,
    action,
    record_id: target.path.includes(':id') ? pathId(param) : null,
    input: readInput(target, context, body),
    if_match: ifMatch,
    idempotency_key: readIdempotencyKey(headers),
    request_hash: hash.digest(),
  };
}

const APPLIED = { 'Preference-Applied': 'respond-async' };
const RESPOND_ASYNC = /(^|[\s,;])respond-async($|[\s,;])/i;

/**
 * The endpoints that change the menu: each hands its write to the queue, waits for the result and
 * answers when this gateway shows it, or with 202 when that takes too long.
 */
export function createWriteRoutes(options: WriteOptions): AdminRoute[] {
  const { submitter, results, store, readJob, constants } = options;
  const perform = async (write: NewWrite, slug: string, isAsync: boolean): Promise<Answer> => {
    const { writeWait, writeSecuredAfter } = constants;
    const begunAt = performance.now();
    /** Null when the promise has not resolved `wait` ms after the request began. */
    const within = <T>(wait: number, promise: Promise<T>) =>
      withTimeout(begunAt + wait - performance.now(), promise, () => null);
    const tenantId = write.tenant_id;
    let expected = results.expect({ tenantId, id: write.id });
    try {
      const id = await within(writeWait, submitter.submit(write));
      if (id === null) throw new UnavailableError('the queue takes too long to accept a write');
      const secure = () => submitter.secure({ tenantId, id });
      const isRepeated = id !== write.id;
      if (isAsync) {
        await secure();
        const known = isRepeated ? await readJob({ id: tenantId, slug }, id, APPLIED) : null;
        return known ?? acceptedAnswer(id, APPLIED);
      }
      if (isRepeated) {
        expected.drop();
        expected = results.expect({ tenantId, id });
        // The earlier write may be finished, and nobody will announce it again.
        results.reconcile();
      }
      let result = await within(writeSecuredAfter, expected.result);
      // That Postgres does not answer, or has lost the write, is told sooner than a 202.
      result ??= await Promise.race([expected.result, secure().then(() => null)]);
      result ??= await within(writeWait, expected.result);
      const served = result && (await within(writeWait, store.whenServed(slug, result.version)));
      if (result && served !== null) return resultAnswer(result);
      // Whoever has done a write has waited for the disk.
      if (!result) await secure();
      return acceptedAnswer(id);
    } finally {
      expected.drop();
    }
  };

  return TARGETS.map((target) => ({
    method: target.method,
    path: target.path,
    scope: 'menu:write',
    call: async (context, token) => {
      const write = readWrite(target, context, token, await context.body);
      const isAsync = RESPOND_ASYNC.test(context.headers.get('prefer') ?? '');
      return perform(write, context.tenant.slug, isAsync);
    },
  }));
}
