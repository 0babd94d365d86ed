import { constants } from '../../db/runtime/constants.ts';
import { parseJson } from '../../db/schema/validation/parse-json.ts';
import { UnsupportedTypeError } from './errors.ts';

/** Values and names in the JSON of a body, at most. */
const MAX_JSON_PARTS = 40_000;

/** JSON and what is written in it, but patches (RFC 7396, RFC 6902), which mean another change. */
const JSON_TYPE = /^application\/((?!(merge|json)-patch\+)[\w.-]+\+)?json\s*(;|$)/i;
/** As which pages may send JSON without asking first: so do beacons. */
const PLAIN_TYPE = /^text\/plain\s*(;|$)/i;
const PLAIN_CODINGS = ['', 'identity'];
/**
 * Reads a request's body as JSON; one that is empty, malformed or far from simple has no value.
 *
 * @param plain whether JSON may also come as plain text
 * @throws UnsupportedTypeError when the body says that it is something else, such as a form or a patch,
 *   or that it is compressed (RFC 9110, 8.4)
 */
export function parseJsonBody(headers: ReadonlyMap<string, string>, body: Buffer, plain = false) {
  checkJsonType(headers, plain);
  return parseJson(body, MAX_JSON_PARTS, constants.maxJsonDepth);
}

/**
 * Checks that a body says that it is JSON, or nothing, and that it is not compressed.
 *
 * @throws UnsupportedTypeError
 */
export function checkJsonType(headers: ReadonlyMap<string, string>, plain = false): void {
  const type = headers.get('content-type')?.trim() ?? '';
  const isJson = type === '' || JSON_TYPE.test(type) || (plain && PLAIN_TYPE.test(type));
  // Nothing here is unpacked: a small body could become a large one.
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const isPlain = PLAIN_CODINGS.includes(coding);
  if (!isJson || !isPlain) throw new UnsupportedTypeError();
}
