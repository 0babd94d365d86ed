import { isObject } from '../../../db/schema/values/row.ts';
import type { FuzzAnswer, FuzzRequest } from './exchange.ts';

const EXPECTED = new Set([
  200, 201, 202, 204, 303, 304, 400, 401, 403, 404, 405, 409, 410, 412, 413, 414, 415, 422, 429,
]);
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === 'string');
}

/** The mistake in a body's envelope, by the specification; or null. */
function misshaped(status: number, envelope: unknown): string | null {
  if (!isObject(envelope)) return 'the body is no object';
  const { success, data, meta, message, errors } = envelope;
  if (success !== status < 400) return `success is ${success}`;
  if (success) {
    if (typeof data !== 'object' || data === null) return 'data is neither object nor array';
    const time = isObject(meta) ? meta.generated_at : undefined;
    return TIMESTAMP.test(String(time)) ? null : `generated_at is ${time}`;
  }
  if (typeof message !== 'string' || message === '') return 'there is no message';
  if (status !== 422) return errors === undefined ? null : 'errors without a validation';
  if (!isObject(errors) || !Object.values(errors).every(isTexts))
    return 'errors is no map of texts';
  return Object.keys(errors).length > 0 ? null : 'errors is empty';
}

/** Where passwords are checked. */
const DOORS = /^\/admin\/(sign-in|account|link)\b/;
/** Where the script of the panel asks, which reads no envelope. */
const PASSKEYS = /^\/admin\/(sign-in\/passkey|account\/passkeys)\b/;

/** The mistake in an answer to the script: it is sent on, has options for the browser, or failed. */
function strangeToScript(told: unknown): string | null {
  if (!isObject(told)) return 'the body is no object';
  const { next, options, done } = told;
  if (typeof next === 'string' || isObject(options) || typeof done === 'boolean') return null;
  return 'the script is told nothing';
}

/**
 * The rule of all answers that this answer breaks, or null.
 *
 * @param hosts of restaurants that exist
 */
export function judgeAnswer(
  hosts: readonly string[],
  request: FuzzRequest,
  { status, headers, body }: FuzzAnswer,
): string | null {
  // Passwords are checked one after the other: who comes meanwhile is asked to come again.
  const isBusyDoor = status === 503 && DOORS.test(request.path) && 'retry-after' in headers;
  if (!EXPECTED.has(status) && !isBusyDoor) return `the status is ${status}`;
  const isApi = request.path.startsWith('/api/');
  const isKnown = hosts.includes(request.headers.Host ?? '');
  if (isApi && isKnown && !('x-ratelimit-remaining' in headers)) return 'there is no limit';
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    return body.length === 0 ? null : 'there is a body';
  }
  const type = String(headers['content-type'] ?? '');
  if (isKnown && isApi && !/^(application\/json|text\/csv|text\/event-stream)/.test(type)) {
    return `the type is ${type}`;
  }
  if (!isKnown && status === 404 && !type.startsWith('text/html')) return `the type is ${type}`;
  if (!type.startsWith('application/json') || headers['content-encoding']) return null;
  // The panel gives a menu as a file to keep, which is no answer of the API.
  if (!isApi && 'content-disposition' in headers) return null;
  // The document is the only JSON without the envelope.
  if (status === 200 && request.path.startsWith('/api/v1/openapi.json')) return null;
  try {
    const told = JSON.parse(body.toString());
    // A request that is refused before it reaches the script's door is answered in the envelope.
    const isToScript = PASSKEYS.test(request.path) && !(isObject(told) && 'success' in told);
    return isToScript ? strangeToScript(told) : misshaped(status, told);
  } catch (error) {
    return `the body is no JSON: ${error}`;
  }
}
