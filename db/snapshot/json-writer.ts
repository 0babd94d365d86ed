/** JSON written piece by piece, with the place of every piece known. */
export interface JsonWriter {
  /** Appends JSON text that is finished already. */
  write(text: string): void;
  /** Appends what `write` writes and tells where it came to lie: offset and length in bytes. */
  span(write: () => void): [offset: number, length: number];
  /** Appends the pieces with commas between them. */
  list<T>(items: readonly T[], write: (item: T) => void): void;
  bytes(): Buffer;
}

export function createJsonWriter(): JsonWriter {
  const chunks: Buffer[] = [];
  let offset = 0;
  const write = (text: string) => {
    const chunk = Buffer.from(text);
    chunks.push(chunk);
    offset += chunk.length;
  };
  return {
    write,
    span: (inner) => {
      const start = offset;
      inner();
      return [start, offset - start];
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
