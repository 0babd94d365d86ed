import sharp from 'sharp';

export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'avif';

/** An upload with its type. */
export interface PhotoFile {
  type: string;
  content: Buffer;
}

/** One pixel of noise becomes so many, in each direction: then a JPEG has some 3 bits a pixel. */
const GRAIN = 4;
const MARK = 64;
const encoders = {
  jpeg: { quality: 88 },
  png: { compressionLevel: 3 },
  webp: { quality: 70, effort: 0 },
  avif: { quality: 40, effort: 0 },
} as const;

/** Noise with the grain of a photograph, as pixels. */
async function makeNoise(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 34 } as const;
  const size = { width: Math.ceil(width / GRAIN), height: Math.ceil(height / GRAIN) };
  const grain = { create: { ...size, channels: 3, background: '#808080', noise } } as const;
  const { data } = await sharp(grain).raw().toBuffer({ resolveWithObject: true });
  const raw = { ...size, channels: 3 } as const;
  return sharp(data, { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer();
}

/** Draws a picture; `seed` tells them apart, up to 65,536. */
export type DrawPhoto = (format: PhotoFormat, seed: number) => Promise<PhotoFile>;

/** Makes pictures of a size. */
export async function createPhotoFiles(width: number, height: number): Promise<DrawPhoto> {
  const noise = await makeNoise(width, height);
  return async (format, seed) => {
    const background = { r: seed & 255, g: seed >> 8, b: 90 };
    const mark = { create: { width: MARK, height: MARK, channels: 3, background } } as const;
    const picture = sharp(noise, { raw: { width, height, channels: 3 } });
    picture.composite([{ input: mark, left: 0, top: 0 }]);
    // A larger PNG is not taken: this one is black and white.
    if (format === 'png') picture.threshold();
    const content = await picture.toFormat(format, encoders[format]).toBuffer();
    return { type: `image/${format}`, content };
  };
}
