/** A run of bytes that lie in memory already. */
export interface Run {
  source: Buffer;
  start: number;
  end: number;
}

const COMMA = 44;
/** Longer answers are rare: 100 dishes of a usual menu take half of it. */
const SHARED_BYTES = 256 * 1024;
const shared = Buffer.allocUnsafeSlow(SHARED_BYTES);

/** All of it. */
export function wholeSlice(source: Buffer): Run {
  return { source, start: 0, end: source.length };
}

/**
 * A body in pieces, to be joined when it is sent. Most answers that are made for one request are
 * never sent again: bytes of their own for each would be dear to get, and dearer to get rid of. Their
 * sheer size makes V8 look through its whole heap several times a second.
 */
export class JoinedBody {
  readonly length: number;
  readonly #head: string;
  readonly #runs: readonly Run[];
  readonly #tail: string;

  /** @param runs are joined by commas */
  constructor(head: string, runs: readonly Run[], tail: string) {
    let length = Buffer.byteLength(head) + Buffer.byteLength(tail) + Math.max(0, runs.length - 1);
    for (const { start, end } of runs) length += end - start;
    this.length = length;
    this.#head = head;
    this.#runs = runs;
    this.#tail = tail;
  }

  /** In bytes of its own. */
  join(): Buffer {
    return this.#writeTo(Buffer.allocUnsafeSlow(this.length));
  }

  /** In bytes that the next call, for whatever body, uses again: to be sent at once, or not at all. */
  joinForNow(): Buffer {
    return this.length > SHARED_BYTES ? this.join() : this.#writeTo(shared);
  }

  #writeTo(target: Buffer): Buffer {
    let length = target.write(this.#head);
    for (const [index, { source, start, end }] of this.#runs.entries()) {
      if (index > 0) target[length++] = COMMA;
      length += source.copy(target, length, start, end);
    }
    length += target.write(this.#tail, length);
    return target.subarray(0, length);
  }
}
