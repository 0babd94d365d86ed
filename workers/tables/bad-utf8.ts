/** Bytes that one step looks at. */
const STEP = 65_536;

/** The length of a sign of UTF-8 by its first byte, and the bounds of its second one; or null. */
function formOf(first: number): readonly [length: number, low: number, high: number] | null {
  if (first >= 0xc2 && first <= 0xdf) return [2, 0x80, 0xbf];
  if (first === 0xe0) return [3, 0xa0, 0xbf];
  if (first === 0xed) return [3, 0x80, 0x9f];
  if (first >= 0xe1 && first <= 0xef) return [3, 0x80, 0xbf];
  if (first === 0xf0) return [4, 0x90, 0xbf];
  if (first >= 0xf1 && first <= 0xf3) return [4, 0x80, 0xbf];
  return first === 0xf4 ? [4, 0x80, 0x8f] : null;
}

/** The length of the sign of several bytes that stands there; 0 when none does. */
function signLength(bytes: Buffer, at: number): number {
  const form = formOf(bytes[at] as number);
  if (!form) return 0;
  const [length, low, high] = form;
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next] ?? 0;
    const isInside = next === 1 ? byte >= low && byte <= high : byte >= 0x80 && byte <= 0xbf;
    if (!isInside) return 0;
  }
  return length;
}

/** A count of the signs of UTF-8 in bytes. */
export interface Utf8Count {
  /** The place of the first byte that is none, from 0; null when there is none. */
  at: number | null;
  /** Signs of several bytes. */
  good: number;
  /** Bytes that belong to no sign. */
  bad: number;
}

/** Counts the signs of UTF-8, and the bytes that belong to none, in steps. */
export function* findBadUtf8(bytes: Buffer): Generator<void, Utf8Count> {
  const count: Utf8Count = { at: null, good: 0, bad: 0 };
  let until = STEP;
  for (let at = 0; at < bytes.length; ) {
    if (at >= until) {
      until = at + STEP;
      yield;
    }
    if ((bytes[at] as number) < 0x80) {
      at += 1;
      continue;
    }
    const length = signLength(bytes, at);
    if (length === 0) {
      count.at ??= at;
      count.bad += 1;
    } else count.good += 1;
    at += length || 1;
  }
  return count;
}
