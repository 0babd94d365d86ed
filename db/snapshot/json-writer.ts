/** Where bytes lie in a written text. */
export type Range = [start: number, end: number];

/** JSON written piece by piece, with the place of every piece known. */
export function createJsonWriter() {
  const chunks: Buffer[] = [];
  let offset = 0;
  /** Appends JSON that is finished already and tells where it came to lie. */
  const write = (json: string | Buffer): Range => {
    const chunk = typeof json === 'string' ? Buffer.from(json) : json;
    chunks.push(chunk);
    offset += chunk.length;
    return [offset - chunk.length, offset];
  };
  return {
    write,
    /** Appends what `inner` writes and tells where it came to lie. */
    span: (inner: () => void): Range => {
      const start = offset;
      inner();
      return [start, offset];
    },
    /** Appends the pieces with commas between them. */
    list: <T>(items: readonly T[], writeItem: (item: T) => void) => {
      items.forEach((item, index) => {
        if (index > 0) write(',');
        writeItem(item);
      });
    },
    bytes: () => Buffer.concat(chunks),
  };
}
