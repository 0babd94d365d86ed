/** Joins pieces of bytes, one a step: to copy megabytes in one go would keep the event loop. */
export function* joinInSteps(pieces: readonly Buffer[]): Generator<void, Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const joined = Buffer.allocUnsafeSlow(length);
  let offset = 0;
  for (const piece of pieces) {
    offset += piece.copy(joined, offset);
    yield;
  }
  return joined;
}
