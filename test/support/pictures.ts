import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

/** Exif as cameras write it, with the place where the picture was taken. */
const GPS = {
  IFD0: { Make: 'Fotocamera', Copyright: 'Ada' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '45/1 38/1 59/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 46/1 3/1',
  },
};

interface Picture {
  width?: number;
  /** Low pictures are made fast. */
  height?: number;
  format?: 'jpeg' | 'png' | 'webp' | 'avif';
  /** As Exif has it: 6 is a phone that was held upright. */
  orientation?: number;
  /** Tells pictures apart. */
  seed?: number;
}

/** Red on the left, blue on the right, so that a turned picture can be told. */
function stripes(width: number, height: number, seed: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3, seed % 200);
  for (let at = 0; at < width * height; at += 1) {
    const isLeft = at % width < width / 2;
    pixels[at * 3 + (isLeft ? 0 : 2)] = 255;
  }
  return pixels;
}

/** A picture with the place where it was taken in it. */
export async function picture({
  width = 800,
  height = 200,
  format = 'jpeg',
  orientation = 1,
  seed = 0,
}: Picture = {}): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  return sharp(stripes(width, height, seed), { raw })
    .withExif(GPS)
    .withMetadata({ orientation, exif: GPS })
    .toFormat(format)
    .toBuffer();
}

/** A JPEG of three bytes a pixel, nearly: no format makes noise small. */
export function noise(width: number, height: number): Promise<Buffer> {
  const pixels = randomBytes(width * height * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** An AVIF whose head names another size. */
export function withAvifSize(avif: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(avif);
  const at = changed.indexOf('ispe') + 8;
  changed.writeUInt32BE(width, at);
  changed.writeUInt32BE(height, at + 4);
  return changed;
}

/** The first bytes of what iPhones make. */
export function heic(): Buffer {
  const box = Buffer.alloc(64);
  box.writeUInt32BE(24, 0);
  box.write('ftypheic\0\0\0\0mif1heic', 4, 'latin1');
  return box;
}

/** How many sheets a PDF has. */
export const pagesOf = (pdf: Buffer) =>
  pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
