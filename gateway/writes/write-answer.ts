import { inSlices } from '../../db/runtime/in-slices.ts';
import { jsonInSteps } from '../../db/runtime/write-json.ts';
import {
  type BulkOutcome,
  countOutcomes,
  menuTag,
  type OperationResult,
} from '../../db/schema/bulk.ts';
import { tellErrors, tellFirst } from '../../db/schema/error-sentences.ts';
import { hasUnknownOrigin, withMediaOrigin } from '../../db/schema/media-origin.ts';
import { pathOf } from '../../db/schema/registry.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';
import type { AcceptedWrite, WriteOutcome, WriteResult } from '../../db/schema/write.ts';
import type { PanelLanguage } from '../../db/texts/catalogues.ts';
import { type Answer, createAnswer, JSON_TYPE, jsonAnswer } from '../http/answer.ts';
import {
  errorBody,
  errorOf,
  ignoringMeta,
  invalidBody,
  successBody,
  successOf,
} from '../http/envelope.ts';
import { ADMIN_PREFIX } from '../pipeline/route.ts';

const STATUS_LINES: Record<WriteOutcome['kind'], string> = {
  created: '201 Created',
  changed: '200 OK',
  unchanged: '200 OK',
  restored: '200 OK',
  deleted: '204 No Content',
  missing: '404 Not Found',
  outdated: '412 Precondition Failed',
  invalid: '422 Unprocessable Content',
  failed: '500 Internal Server Error',
  outdated_menu: '412 Precondition Failed',
  bulk: '200 OK',
  gone: '410 Gone',
  conflict: '409 Conflict',
  // A branch's tokens cannot ask for it: the master's request tells it.
  published: '404 Not Found',
};

interface Told {
  errors: Record<string, string[]>;
  codes: FieldErrors;
}

/** Errors by the paths of their fields in a document. */
function byPath<T>(path: string, byField: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(byField).map(([field, one]) => [[path, field].filter(Boolean).join('.'), one]),
  );
}

/** The result of many operations, one a step; when none was applied, all errors by their index. */
function* bulkInSteps(
  outcome: BulkOutcome,
  version: number,
  sent: readonly string[],
  language: PanelLanguage,
): Generator<void, Buffer> {
  const { applied, dry_run, results, table, report, conflicts, ignored, left_out, to_confirm, at } =
    outcome;
  const shown: (Omit<OperationResult, 'errors'> & Told)[] = [];
  for (const { errors: codes, ...result } of results) {
    shown.push({ ...result, errors: tellErrors(language, codes, result), codes });
    yield;
  }
  const counts = outcome.counts ?? countOutcomes(results, outcome.unchanged);
  const rest = {
    counts,
    results: shown,
    ...(left_out && { left_out }),
    ...(conflicts && { conflicts }),
    ...(to_confirm && { to_confirm: tellErrors(language, to_confirm) }),
  };
  const read = { ...(table && { table }), ...(report && { report }) };
  const data = { version, applied, dry_run, ...read, ...rest };
  if (applied || dry_run) {
    const meta = { generated_at: at, ...ignoringMeta([...sent, ...ignored]) };
    return yield* jsonInSteps(successOf(data, meta));
  }
  const errors = Object.assign({}, ...shown.map((one) => byPath(one.path, one.errors)));
  const codes = Object.assign({}, ...shown.map((one) => byPath(one.path, one.codes)));
  return yield* jsonInSteps(errorOf(tellFirst(language, errors), { errors, codes, data }));
}

type Invalid = Extract<WriteOutcome, { kind: 'invalid' }>;

/** The description of a table that is wrong as a whole, in the form of one whose rows are. */
function refusedTable({ table, dry_run = false }: Invalid, version: number): object {
  if (!table) return {};
  const counts = countOutcomes([]);
  return { data: { version, applied: false, dry_run, table, counts, results: [] } };
}

/** Finished JSON; null where the status allows no body. */
function bodyOf(
  outcome: Exclude<WriteOutcome, BulkOutcome>,
  version: number,
  ignored: readonly string[],
  language: PanelLanguage,
): string | null {
  switch (outcome.kind) {
    case 'deleted':
      return null;
    case 'missing':
    case 'published':
      return errorBody('Resource not found.');
    case 'outdated':
      return errorBody('Precondition Failed', { data: outcome.record });
    case 'invalid':
      return invalidBody(outcome.errors, refusedTable(outcome, version), language);
    case 'outdated_menu':
      return errorBody('Precondition Failed', { data: { version } });
    case 'gone':
      return errorBody('Gone');
    case 'conflict':
      return errorBody('Conflict', { conflicts: outcome.conflicts, data: { version } });
    case 'failed':
      return errorBody('Server Error');
    default:
      return successBody(outcome.record, {
        generated_at: outcome.at,
        ...ignoringMeta([...new Set([...ignored, ...(outcome.ignored ?? [])])]),
      });
  }
}

/** The bytes of a body; null where the status allows none. A long one is made in slices. */
async function bytesOf(
  { outcome, version, resource }: WriteResult,
  ignored: readonly string[],
  reader: PanelLanguage,
): Promise<Buffer | null> {
  // About a single record the contract promises Italian.
  const language = resource === 'menu' ? reader : 'it';
  if (outcome.kind === 'bulk') {
    return inSlices(bulkInSteps(outcome, version, ignored, language));
  }
  const body = bodyOf(outcome, version, ignored, language);
  return body === null ? null : Buffer.from(body);
}

function headOf({ outcome, version }: WriteResult): { line: string; etag: string | null } {
  if (outcome.kind === 'bulk' || outcome.kind === 'outdated_menu' || outcome.kind === 'conflict') {
    const isRefused = outcome.kind === 'bulk' && !outcome.applied && !outcome.dry_run;
    const line = STATUS_LINES[isRefused ? 'invalid' : outcome.kind];
    return { line, etag: menuTag(version) };
  }
  return { line: STATUS_LINES[outcome.kind], etag: 'etag' in outcome ? outcome.etag : null };
}

/** Tells a write's own result from an answer about the request for it. */
const JOB_STATE = 'X-Job-State';

/**
 * The answer to a finished write, at once or when its result is fetched later.
 *
 * @param ignored paths of fields of its request that were ignored
 * @param origin of the restaurant's photos
 * @param language in which errors of imports are told
 */
export async function resultAnswer(
  result: WriteResult,
  ignored: readonly string[],
  origin: string,
  language: PanelLanguage,
): Promise<Answer> {
  const { line, etag } = headOf(result);
  const body = await bytesOf(result, ignored, language);
  const headers = {
    [JOB_STATE]: 'finished',
    ...(body !== null && { 'Content-Type': JSON_TYPE }),
    ...(etag !== null && { ETag: etag }),
    ...(line === STATUS_LINES.created && {
      Location: `${ADMIN_PREFIX}/${pathOf(result.resource)}/${result.record_id}`,
    }),
  };
  const isWhole = body === null || !hasUnknownOrigin(body);
  const bytes = isWhole ? body : Buffer.from(withMediaOrigin(String(body), origin));
  return createAnswer(line, 'no-store', headers, bytes);
}

/** A write that is kept and will be done: where its result is going to be found. */
export function acceptedAnswer(id: string, headers: Record<string, string> = {}): Answer {
  const accepted: AcceptedWrite = { id, state: 'waiting' };
  return jsonAnswer('202 Accepted', successBody(accepted), {
    [JOB_STATE]: 'waiting',
    Location: `${ADMIN_PREFIX}/jobs/${id}`,
    'Retry-After': '1',
    ...headers,
  });
}
