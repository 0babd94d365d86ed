import { isUtf8 } from 'node:buffer';
import { type ParseErrorCode, visit } from 'jsonc-parser';
import { constants } from '../../runtime/constants.ts';
import { inOneGo } from '../../runtime/in-slices.ts';
import { type Broken, broken, type FieldErrors } from './rule.ts';

/** Ends a visit at the first error. */
class Found extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('found');
    this.offset = offset;
  }
}

/** Where a text stops being JSON, in UTF-16 units; null when the library finds nothing wrong. */
function findError(text: string): number | null {
  const onError = (_code: ParseErrorCode, offset: number) => {
    throw new Found(offset);
  };
  try {
    visit(text, { onError }, { disallowComments: true });
    return null;
  } catch (error) {
    if (error instanceof Found) return error.offset;
    throw error;
  }
}

/** Why a text is no JSON, with the place: line, column and byte, from 1. */
export function jsonTrouble(text: string): Broken {
  const offset = findError(text);
  if (offset === null) return broken('noJson');
  const before = text.slice(0, offset);
  const byte = Buffer.byteLength(before) + 1;
  if (text.slice(offset).trim() === '') return broken('jsonEnds', { byte });
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
  return broken('jsonBroken', { line, column, byte });
}

const utf8 = new TextDecoder('utf-8');

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
/** The bit in which a brace differs from a bracket, and the braces. */
const [BRACE_BIT, OPENING, CLOSING] = [0x20, 0x7b, 0x7d];

/** Bytes of a body that one step looks at. */
const STEP = 65_536;

/**
 * Whether a body has no more parts, and is nested no deeper, than allowed. To parse a megabyte of
 * brackets takes two hundred times as long as to look at it.
 */
function* isSimple(body: Buffer, maxParts: number, maxDepth: number): Generator<void, boolean> {
  let [parts, depth] = [0, 0];
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += Number(byte === BACKSLASH);
    else if (byte === COMMA || byte === COLON) parts += 1;
    else if ((byte | BRACE_BIT) === OPENING) depth += 1;
    else if ((byte | BRACE_BIT) === CLOSING) depth -= 1;
    if (parts > maxParts || depth > maxDepth) return false;
    if (at % STEP === 0) yield;
  }
  return true;
}

export interface ParsedBody {
  /** Undefined when the body is empty or cannot be read. */
  value: unknown;
  /** Why it cannot be read, as the error of a field `body`; empty when it can or is empty. */
  errors: FieldErrors;
}

function unreadable(reason: Broken): ParsedBody {
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
 * Reads a body as JSON; one that is empty, malformed or far from simple has no value.
 *
 * @param maxParts commas and colons that it may have
 * @param maxDepth how deep it may be nested
 */
export function parseJson(body: Buffer, maxParts: number, maxDepth: number): ParsedBody {
  return inOneGo(parseInSteps(body, maxParts, maxDepth));
}

/** The same in steps, by default of a document. The last and longest takes 8 ms for a megabyte. */
export function* parseInSteps(
  body: Buffer,
  maxParts = constants.maxDocumentParts,
  maxDepth = constants.maxJsonDepth,
): Generator<void, ParsedBody> {
  if (!(yield* isSimple(body, maxParts, maxDepth))) return unreadable(broken('notSimple'));
  if (!isUtf8(body)) return unreadable(broken('notUtf8'));
  yield;
  return parseText(utf8.decode(body));
}
