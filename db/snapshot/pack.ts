import type { Locale } from '../records/locale.ts';

/** Raised whenever packs of an earlier build could not be read or would answer differently. */
export const SNAPSHOT_FORMAT = 1;

export type BodyName = 'menu' | 'restaurant' | 'theme' | 'categories';

/** One finished answer: a strong ETag and the bytes in each encoding that was prepared. */
export interface Body {
  /** ETag of the identity bytes, quotes included; the encoded forms add their suffix. */
  etag: string;
  identity: Buffer;
  gzip?: Buffer;
  br?: Buffer;
}

/** A dish as filters see it, with its finished JSON. */
export interface DishFragment {
  id: number;
  categoryId: number;
  typeId: number | null;
  recommended: boolean;
  /** Folded name and description, for search. */
  text: string;
  json: Buffer;
}

/** Everything that a gateway needs to answer for one tenant in one locale. */
export interface Snapshot {
  version: number;
  locale: Locale;
  /** ISO 8601 with offset: the time at which the snapshot was built. */
  generatedAt: string;
  bodies: Partial<Record<BodyName, Body>>;
  /** Visible dishes in the order of `/items`. */
  dishes: DishFragment[];
  /** Visible sections with their sub-sections as finished JSON; only in the default locale. */
  sections: Map<number, Buffer>;
  /** What the snapshot holds in memory, in bytes. */
  bytes: number;
}

/** Where bytes lie: offset and length in the part that follows the header. */
type Range = [offset: number, length: number];

interface Header {
  version: number;
  locale: Locale;
  generatedAt: string;
  bodies: Partial<Record<BodyName, { etag: string; identity: Range; gzip?: Range; br?: Range }>>;
  /** Ranges are relative to the identity body of the menu. */
  dishes: {
    id: number;
    categoryId: number;
    typeId: number | null;
    recommended: boolean;
    text: string;
    range: Range;
  }[];
  /** Ranges are relative to the identity body of the categories. */
  sections: { id: number; range: Range }[];
}

export type PackContents = Omit<Header, 'bodies'> & {
  bodies: Partial<Record<BodyName, Body>>;
};

/** Memory that the index costs beside the bytes of the pack: objects, views and map entries. */
const BYTES_PER_DISH = 320;
const BYTES_PER_SECTION = 160;
const BYTES_PER_SNAPSHOT = 4096;

/**
 * Lays a snapshot out as one run of bytes: the header's length (4 bytes, big endian), the header as
 * JSON, the bodies. Dishes and sections are not stored again, they are ranges of the bodies.
 */
export function encodePack(contents: PackContents): Buffer {
  const chunks: Buffer[] = [];
  let offset = 0;
  const place = (bytes: Buffer): Range => {
    const range: Range = [offset, bytes.length];
    chunks.push(bytes);
    offset += bytes.length;
    return range;
  };
  const bodies: Header['bodies'] = {};
  for (const [name, body] of Object.entries(contents.bodies)) {
    bodies[name as BodyName] = {
      etag: body.etag,
      identity: place(body.identity),
      ...(body.gzip && { gzip: place(body.gzip) }),
      ...(body.br && { br: place(body.br) }),
    };
  }
  const header = Buffer.from(JSON.stringify({ ...contents, bodies } satisfies Header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, ...chunks]);
}

/** Opens a pack without copying its bodies: they stay views of `pack`. */
export function openPack(pack: Buffer): Snapshot {
  const headerLength = pack.readUInt32BE(0);
  const header = JSON.parse(pack.toString('utf8', 4, 4 + headerLength)) as Header;
  const blob = pack.subarray(4 + headerLength);
  const cut = (bytes: Buffer, [offset, length]: Range) => bytes.subarray(offset, offset + length);

  const bodies: Snapshot['bodies'] = {};
  for (const [name, body] of Object.entries(header.bodies)) {
    bodies[name as BodyName] = {
      etag: body.etag,
      identity: cut(blob, body.identity),
      ...(body.gzip && { gzip: cut(blob, body.gzip) }),
      ...(body.br && { br: cut(blob, body.br) }),
    };
  }
  const menu = bodies.menu?.identity ?? blob;
  const categories = bodies.categories?.identity ?? blob;
  let textBytes = 0;
  const dishes = header.dishes.map(({ range, ...dish }) => {
    textBytes += dish.text.length * 2;
    return { ...dish, json: cut(menu, range) };
  });
  return {
    version: header.version,
    locale: header.locale,
    generatedAt: header.generatedAt,
    bodies,
    dishes,
    sections: new Map(header.sections.map(({ id, range }) => [id, cut(categories, range)])),
    bytes:
      pack.length +
      textBytes +
      dishes.length * BYTES_PER_DISH +
      header.sections.length * BYTES_PER_SECTION +
      BYTES_PER_SNAPSHOT,
  };
}
