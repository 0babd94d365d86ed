import { constants } from './constants.ts';
import { inSlices } from './in-slices.ts';

/** A value with so many values in it is written in a tenth of a millisecond. */
const MOST_IN_ONE_GO = 300;

/** How many more values may be written in one go, below 0 for none. */
function leftAfter(value: unknown, left: number): number {
  let rest = left - 1;
  if (typeof value !== 'object' || value === null) return rest;
  for (const one of Object.values(value)) {
    if (rest < 0) return rest;
    rest = leftAfter(one, rest);
  }
  return rest;
}

interface Layout {
  /** Before each line, one for each level; empty for one long line. */
  indent: string;
  margin: string;
}

/** JSON in pieces, as `JSON.stringify` writes it; a step is a record of a list. */
function* jsonPieces(value: unknown, pieces: string[], layout: Layout): Generator<void> {
  const { indent, margin } = layout;
  if (typeof value !== 'object' || value === null || leftAfter(value, MOST_IN_ONE_GO) >= 0) {
    const text = JSON.stringify(value, null, indent) ?? 'null';
    pieces.push(indent === '' ? text : text.replaceAll('\n', `\n${margin}`));
    return;
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const inner = { indent, margin: margin + indent };
  const newLine = (before: string) => (indent === '' ? '' : `\n${before}`);
  pieces.push(isList ? '[' : '{');
  for (const [at, [name, one]] of entries.entries()) {
    const key = isList ? '' : `${JSON.stringify(name)}:${indent === '' ? '' : ' '}`;
    pieces.push(`${at > 0 ? ',' : ''}${newLine(inner.margin)}${key}`);
    yield* jsonPieces(one, pieces, inner);
    yield;
  }
  pieces.push(`${newLine(margin)}${isList ? ']' : '}'}`);
}

/** Pieces that become bytes at once: joining all of them would keep the event loop. */
const PIECES_OF_CHUNK = 200;

/** A large value as JSON. A step is a record of a list. */
export function* jsonInSteps(value: unknown, indent = ''): Generator<void, Buffer> {
  const pieces: string[] = [];
  const chunks: Buffer[] = [];
  const encode = () => chunks.push(Buffer.from(pieces.splice(0).join('')));
  for (const _step of jsonPieces(value, pieces, { indent, margin: '' })) {
    if (pieces.length >= PIECES_OF_CHUNK) encode();
    yield;
  }
  encode();
  return Buffer.concat(chunks);
}

/**
 * A large value as JSON; it gives the event loop to others on the way.
 *
 * @param indent of each level of lines; by default it is one line
 */
export function writeJson(value: unknown, indent = ''): Promise<Buffer> {
  return inSlices(jsonInSteps(value, indent), constants.writeSlice);
}
