import { isUtf8 } from 'node:buffer';
import { decode as decodeBytes, getDecoder } from 'iconv-lite';
import type { TableEncoding } from '../../db/schema/table.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';

/** Bytes that one step decodes. */
const STEP = 65_536;

const MARKS: readonly [TableEncoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding that a byte order mark names. */
function markedEncoding(bytes: Buffer): TableEncoding | null {
  const found = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  return found?.[0] ?? null;
}

/** Text of letters in one byte has a zero in every second byte when it is UTF-16. */
function unmarkedUtf16(bytes: Buffer): TableEncoding | null {
  const sample = bytes.subarray(0, 4_096);
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < sample.length / 8 || Math.min(even, odd) > 0) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** A decoded table, and how its bytes were read. */
interface Decoded {
  text: string;
  encoding: TableEncoding;
}

/** Where a broken byte stands: its row as a spreadsheet counts, and its place from 1. */
function placeOf(bytes: Buffer, at: number, width: 1 | 2, encoding: TableEncoding) {
  const before =
    width === 1 ? bytes.toString('latin1', 0, at) : decodeBytes(bytes.subarray(0, at), encoding);
  let row = 1;
  let isQuoted = false;
  for (const sign of before.matchAll(/"|\r\n?|\n/g)) {
    if (sign[0] === '"') isQuoted = !isQuoted;
    else if (!isQuoted) row += 1;
  }
  const value = bytes.toString('hex', at, at + width).toUpperCase();
  return { row, place: at + 1, value };
}

function refused(bytes: Buffer, at: number, encoding: TableEncoding) {
  const width = encoding.startsWith('utf-16') ? 2 : 1;
  return {
    errors: { body: [broken('notEncoded', { encoding, ...placeOf(bytes, at, width, encoding) })] },
  };
}

/** The signs of text that spreadsheets write. */
const NO_TEXT = /(?![\t\n\r\f\v])\p{Cc}/u;

/** The text of bytes whose encoding is known, or where it breaks. */
function* decodeAs(
  bytes: Buffer,
  encoding: TableEncoding,
): Generator<void, Decoded | { errors: FieldErrors }> {
  if (encoding === 'utf-8') {
    if (isUtf8(bytes)) return { text: bytes.toString('utf8').replace(/^\ufeff/, ''), encoding };
    return refused(bytes, (yield* findBadUtf8(bytes)).at, encoding);
  }
  const decoder = getDecoder(encoding);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP) {
    pieces.push(decoder.write(bytes.subarray(at, at + STEP)));
    yield;
  }
  const text = (pieces.join('') + (decoder.end() ?? '')).replace(/^\ufeff/, '');
  const isWide = encoding.startsWith('utf-16');
  if (isWide && bytes.length % 2 === 1) return refused(bytes, bytes.length - 1, encoding);
  const broken = isWide ? text.search(/\p{Surrogate}/u) : text.indexOf('\ufffd');
  if (broken < 0) return { text, encoding };
  const marked = isWide && markedEncoding(bytes) ? 2 : 0;
  return refused(bytes, isWide ? marked + 2 * broken : broken, encoding);
}

/**
 * The text of a table. Its encoding is the one that is asked for, else that of its byte order mark,
 * else the only one that fits. Bytes that mean nothing in it are refused with their row.
 */
export function* decodeTable(
  bytes: Buffer,
  asked: TableEncoding | null,
): Generator<void, Decoded | { errors: FieldErrors }> {
  const encoding = asked ?? markedEncoding(bytes) ?? unmarkedUtf16(bytes);
  if (encoding) {
    const decoded = yield* decodeAs(bytes, encoding);
    const isText = 'text' in decoded && !NO_TEXT.test(decoded.text);
    const isSure = asked !== null || markedEncoding(bytes) !== null;
    return isText || isSure ? decoded : { errors: { body: [broken('noText')] } };
  }
  // No text has a zero byte.
  if (bytes.includes(0)) return { errors: { body: [broken('noText')] } };
  if (isUtf8(bytes)) return yield* decodeAs(bytes, 'utf-8');
  const { at, good, bad } = yield* findBadUtf8(bytes);
  // A table of UTF-8 with a broken byte is no table of Windows: each letter would become two signs.
  if (good > bad) return refused(bytes, at, 'utf-8');
  return yield* decodeAs(bytes, 'windows-1252');
}

/** The length of the sign of several bytes that stands there; 0 when none does. */
function signLength(bytes: Buffer, at: number): number {
  const first = bytes.readUInt8(at);
  const length = 2 + Number(first >= 0xe0) + Number(first >= 0xf0);
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

interface Utf8Count {
  /** The place of the first byte that is none, from 0. */
  at: number;
  /** Signs of several bytes. */
  good: number;
  /** Bytes that belong to no sign. */
  bad: number;
}

/** Counts in bytes that are no UTF-8 its signs, and those that belong to none, in steps. */
function* findBadUtf8(bytes: Buffer): Generator<void, Utf8Count> {
  const count: Utf8Count = { at: 0, good: 0, bad: 0 };
  let until = STEP;
  for (let at = 0; at < bytes.length; ) {
    if (at >= until) {
      until = at + STEP;
      yield;
    }
    if (bytes.readUInt8(at) < 0x80) {
      at += 1;
      continue;
    }
    const length = signLength(bytes, at);
    if (length === 0) {
      if (count.bad === 0) count.at = at;
      count.bad += 1;
    } else count.good += 1;
    at += length || 1;
  }
  return count;
}
