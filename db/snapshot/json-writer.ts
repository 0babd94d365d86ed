/** Where bytes lie in a written text. */
export type Range = [start: number, end: number];

/** UTF-8 takes at most so many bytes for a unit of a string. */
const MOST_BYTES = 3;
/** Up to this share of room is left behind what was written, rather than to copy all of it. */
const MOST_ROOM = 1 / 64;

/**
 * JSON written piece by piece into one buffer, with the place of every piece known.
 *
 * @param about its length in bytes, as far as it is known: the buffer grows when it must
 */
export function createJsonWriter(about: number) {
  let buffer = Buffer.allocUnsafeSlow(about);
  let offset = 0;
  const makeRoom = (most: number) => {
    if (offset + most <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * buffer.length + most);
    buffer.copy(larger, 0, 0, offset);
    buffer = larger;
  };
  /** Appends JSON that is finished already. */
  const write = (json: string | Buffer): void => {
    if (typeof json === 'string') {
      makeRoom(json.length * MOST_BYTES);
      offset += buffer.write(json, offset);
    } else {
      makeRoom(json.length);
      offset += json.copy(buffer, offset);
    }
  };
  return {
    write,
    /** Bytes that are written already. */
    length: () => offset,
    /** Appends the pieces with commas between them. */
    list: <T>(items: readonly T[], writeItem: (item: T) => void) => {
      items.forEach((item, index) => {
        if (index > 0) write(',');
        writeItem(item);
      });
    },
    /** In a buffer of their own, with little room for more. */
    bytes: () => {
      if (buffer.length <= offset * (1 + MOST_ROOM)) return buffer.subarray(0, offset);
      const bytes = Buffer.allocUnsafeSlow(offset);
      buffer.copy(bytes, 0, 0, offset);
      return bytes;
    },
  };
}

export type JsonWriter = ReturnType<typeof createJsonWriter>;
