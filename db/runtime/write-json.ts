import { constants } from './constants.ts';
import { inSlices } from './in-slices.ts';

/** How deep the lists of documents lie: deeper values are written in one go. */
const DEPTH = 7;

interface Layout {
  /** Before each line, one for each level; empty for one long line. */
  indent: string;
  margin: string;
  depth: number;
}

/** JSON in pieces, as `JSON.stringify` writes it; a step is a record of a list. */
function* jsonPieces(value: unknown, pieces: string[], layout: Layout): Generator<void> {
  const { indent, margin, depth } = layout;
  const isWhole = typeof value !== 'object' || value === null || value instanceof Date;
  const isList = Array.isArray(value);
  const entries = isWhole ? [] : Object.entries(value).filter(([, one]) => one !== undefined);
  if (isWhole || depth === 0 || entries.length === 0) {
    const text = JSON.stringify(value, null, indent) ?? 'null';
    pieces.push(indent === '' ? text : text.replaceAll('\n', `\n${margin}`));
    return;
  }
  const inner = { indent, margin: margin + indent, depth: depth - 1 };
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
const PIECES_OF_CHUNK = 2_000;

/** A large value as JSON. A step is a record of a list. */
export function* jsonInSteps(value: unknown, indent = ''): Generator<void, Buffer> {
  const pieces: string[] = [];
  const chunks: Buffer[] = [];
  const encode = () => chunks.push(Buffer.from(pieces.splice(0).join('')));
  for (const _step of jsonPieces(value, pieces, { indent, margin: '', depth: DEPTH })) {
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
