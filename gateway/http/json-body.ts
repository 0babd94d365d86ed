import { constants } from '../../db/runtime/constants.ts';
import { UnsupportedTypeError } from '../pipeline/errors.ts';

/** JSON and what is written in it, but patches (RFC 7396, RFC 6902), which mean another change. */
const JSON_TYPE = /^application\/((?!(merge|json)-patch\+)[\w.-]+\+)?json\s*(;|$)/i;
/** As which pages may send JSON without asking first: so do beacons. */
const PLAIN_TYPE = /^text\/plain\s*(;|$)/i;
const PLAIN_CODINGS = ['', 'identity'];
const utf8 = new TextDecoder('utf-8', { fatal: true });

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
/** The bit in which a brace differs from a bracket, and the braces. */
const [BRACE_BIT, OPENING, CLOSING] = [0x20, 0x7b, 0x7d];

/**
 * Whether a body has no more parts, and is nested no deeper, than any of ours. To parse a megabyte of
 * brackets takes two hundred times as long as to look at it.
 */
function isSimple(body: Buffer): boolean {
  let [parts, depth] = [0, 0];
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += Number(byte === BACKSLASH);
    else if (byte === COMMA || byte === COLON) parts += 1;
    else if ((byte | BRACE_BIT) === OPENING) depth += 1;
    else if ((byte | BRACE_BIT) === CLOSING) depth -= 1;
    if (parts > constants.maxJsonParts || depth > constants.maxJsonDepth) return false;
  }
  return true;
}

/**
 * The JSON value of a request's body, or undefined when it is empty, malformed or far from simple.
 *
 * @param plain whether JSON may also come as plain text
 * @throws UnsupportedTypeError when the body says that it is something else, such as a form or a patch,
 *   or that it is compressed (RFC 9110, 8.4)
 */
export function parseJsonBody(
  headers: ReadonlyMap<string, string>,
  body: Buffer,
  plain = false,
): unknown {
  const type = headers.get('content-type')?.trim() ?? '';
  const isJson = type === '' || JSON_TYPE.test(type) || (plain && PLAIN_TYPE.test(type));
  // Nothing here is unpacked: a small body could become a large one.
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const isPlain = PLAIN_CODINGS.includes(coding);
  if (!isJson || !isPlain) throw new UnsupportedTypeError();
  if (!isSimple(body)) return undefined;
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    // Neither text nor JSON: which of the two does not matter to the rules that follow.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
