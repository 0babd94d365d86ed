import { crc32, deflateSync } from 'node:zlib';

/** A part of a PNG file: its length, its name, its bytes and their checksum. */
function chunk(name: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** How a pixel is written: in so many bits, as a grey, or as a place in a list of colours. */
interface PngFormat {
  bits: 1 | 8;
  /** Red, green and blue of each colour; null for greys. */
  palette: Buffer | null;
}

/** As PNG numbers them. */
const GREY = 0;
const PALETTE = 3;

/**
 * A square picture as a PNG.
 *
 * @param size its width and height in pixels
 * @param lines its pixels, a filter byte before each line
 */
export function writePng(size: number, { bits, palette }: PngFormat, lines: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([bits, palette ? PALETTE : GREY, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [
    chunk('IHDR', head),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}
