import { inSlices } from './in-slices.ts';
import { joinInSteps } from './join-in-steps.ts';
import { LazyList } from './lazy-list.ts';

/** So many values are written in a third of a millisecond. */
const MOST_IN_ONE_GO = 1_000;

const NONE_LEFT = -1;

/** How many more values may be written in one go, below 0 for none. */
function leftAfter(value: unknown, left: number): number {
  let rest = left - 1;
  if (typeof value !== 'object' || value === null) return rest;
  if (value instanceof LazyList) return NONE_LEFT;
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

/** A small value, or the values of a short list without its brackets. */
function inOnePiece(value: unknown, { indent, margin }: Layout): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return indent === '' ? text : text.replaceAll('\n', `\n${margin}`);
}

/**
 * The values of a list, with what stands between them; a step is as many as are written in one go.
 *
 * @returns whether there was one
 */
function* listPieces(
  list: Iterable<unknown>,
  pieces: string[],
  layout: Layout,
): Generator<void, boolean> {
  const inner = { ...layout, margin: layout.margin + layout.indent };
  const newLine = layout.indent === '' ? '' : `\n${inner.margin}`;
  let left = MOST_IN_ONE_GO;
  let values: unknown[] = [];
  let isFirst = true;
  const separate = () => {
    if (!isFirst) pieces.push(',');
    isFirst = false;
  };
  const write = () => {
    if (values.length === 0) return;
    separate();
    // Of the list's own lines the last one ends before its bracket.
    const text = inOnePiece(values, layout);
    pieces.push(text.slice(1, layout.indent === '' ? -1 : -2 - layout.margin.length));
    values = [];
    left = MOST_IN_ONE_GO;
  };
  for (const value of list) {
    let rest = leftAfter(value, left);
    if (rest < 0 && values.length > 0) {
      write();
      yield;
      rest = leftAfter(value, left);
    }
    if (rest >= 0) {
      values.push(value);
      left = rest;
      continue;
    }
    separate();
    pieces.push(newLine);
    yield* jsonPieces(value, pieces, inner);
  }
  write();
  return !isFirst;
}

/** JSON in pieces, as `JSON.stringify` writes it; a step is as much as is written in one go. */
function* jsonPieces(value: unknown, pieces: string[], layout: Layout): Generator<void> {
  if (typeof value !== 'object' || value === null || leftAfter(value, MOST_IN_ONE_GO) >= 0) {
    pieces.push(inOnePiece(value, layout));
    return;
  }
  const { indent, margin } = layout;
  const newLine = (before: string) => (indent === '' ? '' : `\n${before}`);
  const list = Array.isArray(value) || value instanceof LazyList ? value : null;
  pieces.push(list ? '[' : '{');
  let isFilled = true;
  if (list) isFilled = yield* listPieces(list, pieces, layout);
  else {
    const inner = { indent, margin: margin + indent };
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    for (const [at, [name, one]] of entries.entries()) {
      const key = `${JSON.stringify(name)}:${indent === '' ? '' : ' '}`;
      pieces.push(`${at > 0 ? ',' : ''}${newLine(inner.margin)}${key}`);
      yield* jsonPieces(one, pieces, inner);
      yield;
    }
  }
  pieces.push(`${isFilled ? newLine(margin) : ''}${list ? ']' : '}'}`);
}

/** A large value as JSON, as a text. A step is as much as is written in one go. */
export function* jsonTextInSteps(value: unknown): Generator<void, string> {
  const pieces: string[] = [];
  yield* jsonPieces(value, pieces, { indent: '', margin: '' });
  return pieces.join('');
}

/** Pieces that become bytes at once: joining all of them would keep the event loop. */
const PIECES_OF_CHUNK = 20;

/** A large value as JSON. A step is as much as is written in one go. */
export function* jsonInSteps(value: unknown, indent = ''): Generator<void, Buffer> {
  const pieces: string[] = [];
  const chunks: Buffer[] = [];
  const encode = () => chunks.push(Buffer.from(pieces.splice(0).join('')));
  for (const _step of jsonPieces(value, pieces, { indent, margin: '' })) {
    if (pieces.length >= PIECES_OF_CHUNK) encode();
    yield;
  }
  encode();
  return yield* joinInSteps(chunks);
}

/**
 * A large value as JSON; it gives the event loop to others on the way.
 *
 * @param indent of each level of lines; by default it is one line
 */
export function writeJson(value: unknown, indent = ''): Promise<Buffer> {
  return inSlices(jsonInSteps(value, indent));
}
