import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

/** Free modules around a code, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Pixels of a module in a PNG: a code on paper stays sharp. */
const SCALE = 24;

function modulesOf(text: string): boolean[][] {
  return encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
}

/** A QR code as a file that draws sharp at any size. */
export function qrSvg(text: string): Buffer {
  const rows = modulesOf(text);
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const size = rows.length;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}"/></svg>`,
  );
}

/** A part of a PNG file: its length, its name, its bytes and their checksum. */
function chunk(name: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A QR code as a PNG of black and white pixels, one bit each. */
export function qrPng(text: string): Buffer {
  const rows = modulesOf(text);
  const size = rows.length * SCALE;
  const stride = 1 + Math.ceil(size / 8);
  const lines = rows.flatMap((row) => {
    const line = Buffer.alloc(stride, 0xff);
    line[0] = 0;
    for (let x = 0; x < size; x += 1) {
      const at = 1 + (x >> 3);
      if (row[Math.floor(x / SCALE)]) line[at] = (line[at] as number) & ~(0x80 >> (x & 7));
    }
    return Array.from({ length: SCALE }, () => line);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk('IDAT', deflateSync(Buffer.concat(lines)));
  return Buffer.concat([signature, chunk('IHDR', head), data, chunk('IEND', Buffer.alloc(0))]);
}
