/** Where bytes lie in a written text. */
export type Range = [start: number, end: number];

/** JSON written piece by piece, with the place of every piece known. */
export interface JsonWriter {
  /** Appends JSON that is finished already and tells where it came to lie. */
  write(json: string | Buffer): Range;
  /** Appends what `write` writes and tells where it came to lie. */
  span(write: () => void): Range;
  /** Appends the pieces with commas between them. */
  list<T>(items: readonly T[], write: (item: T) => void): void;
  bytes(): Buffer;
}

export function createJsonWriter(): JsonWriter {
  const chunks: Buffer[] = [];
  let offset = 0;
  const write = (json: string | Buffer): Range => {
    const chunk = typeof json === 'string' ? Buffer.from(json) : json;
    chunks.push(chunk);
    offset += chunk.length;
    return [offset - chunk.length, offset];
  };
  return {
    write,
    span: (inner) => {
      const start = offset;
      inner();
      return [start, offset];
    },
    list: (items, writeItem) => {
      items.forEach((item, index) => {
        if (index > 0) write(',');
        writeItem(item);
      });
    },
    bytes: () => Buffer.concat(chunks),
  };
}
