import encodeQR from 'qr';
import { writePng } from '../../http/png.ts';

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
  return writePng(size, { bits: 1, palette: null }, Buffer.concat(lines));
}
