import { isUtf8 } from 'node:buffer';
import { constants } from '../../db/runtime/constants.ts';
import type { FieldErrors } from '../../db/schema/validation/messages.ts';
import { UnsupportedTypeError } from './errors.ts';
import { jsonTrouble } from './json-trouble.ts';

/** JSON and what is written in it, but patches (RFC 7396, RFC 6902), which mean another change. */
const JSON_TYPE = /^application\/((?!(merge|json)-patch\+)[\w.-]+\+)?json\s*(;|$)/i;
/** As which pages may send JSON without asking first: so do beacons. */
const PLAIN_TYPE = /^text\/plain\s*(;|$)/i;
const PLAIN_CODINGS = ['', 'identity'];
const utf8 = new TextDecoder('utf-8');

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

/** A request's body as JSON. */
export interface ParsedBody {
  /** Undefined when the body is empty or cannot be read. */
  value: unknown;
  /** Why it cannot be read, as the error of a field `body`; empty when it can or is empty. */
  errors: FieldErrors;
}

function unreadable(reason: string): ParsedBody {
  return { value: undefined, errors: { body: [reason] } };
}

function parseText(text: string): ParsedBody {
  if (text.trim() === '') return { value: undefined, errors: {} };
  try {
    return { value: JSON.parse(text), errors: {} };
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable(jsonTrouble(text));
    throw error;
  }
}

/**
 * Reads a request's body as JSON; one that is empty, malformed or far from simple has no value.
 *
 * @param plain whether JSON may also come as plain text
 * @throws UnsupportedTypeError when the body says that it is something else, such as a form or a patch,
 *   or that it is compressed (RFC 9110, 8.4)
 */
export function parseJsonBody(
  headers: ReadonlyMap<string, string>,
  body: Buffer,
  plain = false,
): ParsedBody {
  const type = headers.get('content-type')?.trim() ?? '';
  const isJson = type === '' || JSON_TYPE.test(type) || (plain && PLAIN_TYPE.test(type));
  // Nothing here is unpacked: a small body could become a large one.
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const isPlain = PLAIN_CODINGS.includes(coding);
  if (!isJson || !isPlain) throw new UnsupportedTypeError();
  if (!isSimple(body)) {
    return unreadable(
      'Il corpo della richiesta ha troppi valori, o è annidato troppo in profondità.',
    );
  }
  if (!isUtf8(body)) return unreadable('Il corpo della richiesta non è testo UTF-8.');
  return parseText(utf8.decode(body));
}
