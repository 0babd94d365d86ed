import { createHash } from 'node:crypto';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { constants } from '../../db/runtime/constants.ts';
import {
  mediaPath,
  PHOTO_FORMATS,
  type PhotoFormat,
  type PhotoProblem,
  sniffPhoto,
} from '../../db/schema/photo.ts';
import type { PhotoFile } from '../../db/sql/photos.ts';

/** Largest photo that is taken, in pixels, and its longest side. */
const MAX_PHOTO_PIXELS = 40_000_000;
const MAX_PHOTO_SIDE = 8_192;

/** An AVIF takes 18 bytes a pixel while it is decoded, and other formats at most 5. */
const MAX_AVIF_PIXELS = 12_500_000;
/** Longest side of the form in which a photo is kept, in pixels. */
const MAX_KEPT_PHOTO_SIDE = 2_560;

/** Markers of a JPEG that hold what decoding needs, and nothing about camera, place or owner. */
function isPlainMarker(marker: number): boolean {
  const isFrame = marker >= 0xc0 && marker <= 0xcf;
  // JFIF and Adobe's transform say how colours are stored.
  const isColor = marker === 0xe0 || marker === 0xee;
  return isFrame || isColor || [0xda, 0xdb, 0xdd].includes(marker);
}

/** Where the compressed data behind a scan's head end: at the next marker. */
function scanEnd(content: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = content.indexOf(0xff, at);
    if (at < 0 || at + 1 >= content.length) return content.length;
    const next = content.readUInt8(at + 1);
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
    at += next === 0xff ? 1 : 2;
  }
}

function isPlainJpeg(content: Buffer): boolean {
  let at = 2;
  while (at + 4 <= content.length) {
    if (content[at] !== 0xff) return false;
    const marker = content.readUInt8(at + 1);
    if (!isPlainMarker(marker)) return false;
    const end = at + 2 + content.readUInt16BE(at + 2);
    at = marker === 0xda ? scanEnd(content, end) : end;
  }
  // Nothing follows the end: phones put further pictures there.
  return at + 2 === content.length && content.readUInt16BE(at) === 0xffd9;
}

const PLAIN_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH'];

function isPlainWebp(content: Buffer): boolean {
  let at = 12;
  while (at + 8 <= content.length) {
    if (!PLAIN_CHUNKS.includes(content.toString('latin1', at, at + 4))) return false;
    const length = content.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return at === content.length;
}

/** Whether a JPEG or WebP holds its picture and nothing else, such as the place where it was taken. */
function isPlainContent(content: Buffer, format: string): boolean {
  if (format === 'jpeg') return isPlainJpeg(content);
  return format === 'webp' && isPlainWebp(content);
}

/** The photo of an upload with its files, or the reason why it is refused. */
export type MadePhoto =
  | { photo: ReturnType<typeof describe>; files: PhotoFile[] }
  | { problem: PhotoProblem };

interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

/** Longest side that a placeholder is made from, in pixels. */
const PLACEHOLDER_SIDE = 100;
const WHITE = '#ffffff';

sharp.cache(false);
// One thread: other processes of the machine serve menus meanwhile.
sharp.concurrency(1);

const encoders: Record<PhotoFormat, (picture: Sharp) => Sharp> = {
  // The next effort takes four times as long for files that are a tenth smaller.
  avif: (picture) => picture.avif({ quality: 50, effort: 3, chromaSubsampling: '4:2:0' }),
  webp: (picture) => picture.webp({ quality: 74 }),
  jpeg: (picture) => picture.flatten({ background: WHITE }).jpeg({ quality: 74, mozjpeg: true }),
};

function open({ data, raw }: Pixels): Sharp {
  return sharp(data, { raw });
}

async function toPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, raw: { width, height, channels } };
}

/** Upright, in sRGB with eight bits, and no larger than photos are kept. */
function decode(content: Buffer): Promise<Pixels> {
  const side = MAX_KEPT_PHOTO_SIDE;
  const limits = { limitInputPixels: MAX_PHOTO_PIXELS, failOn: 'error' } as const;
  return toPixels(
    sharp(content, { ...limits, sequentialRead: true })
      .autoOrient()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb'),
  );
}

/** A file of its own where an upload holds more than its picture, or is larger than it need be. */
async function keptForm(
  content: Buffer,
  { format, space, hasProfile, orientation = 1 }: Metadata,
  isSmall: boolean,
  pixels: Pixels,
): Promise<PhotoFile> {
  const isUsual = space === 'srgb' && !hasProfile && orientation === 1;
  if (isSmall && isUsual && isPlainContent(content, format)) return { width: 0, format, content };
  const hasAlpha = pixels.raw.channels === 4;
  const picture = hasAlpha
    ? open(pixels).webp({ quality: 92, alphaQuality: 100 })
    : open(pixels).jpeg({ quality: 88 });
  return { width: 0, format: hasAlpha ? 'webp' : 'jpeg', content: await picture.toBuffer() };
}

/** The widths in which a photo is served: the usual ones that it has, and its own below the largest. */
function servedWidths(original: number): number[] {
  const most = Math.min(original, Math.max(...constants.photoWidths));
  return [...constants.photoWidths.filter((width) => width < most), most];
}

async function servedFiles(pixels: Pixels): Promise<PhotoFile[]> {
  const files: PhotoFile[] = [];
  for (const width of servedWidths(pixels.raw.width)) {
    const sized = await toPixels(open(pixels).resize({ width }));
    for (const format of PHOTO_FORMATS) {
      files.push({ width, format, content: await encoders[format](open(sized)).toBuffer() });
    }
  }
  return files;
}

/** A blurred picture of some 25 bytes, in Base64. */
async function placeholderOf(pixels: Pixels): Promise<string> {
  const side = PLACEHOLDER_SIDE;
  const { data, raw } = await toPixels(
    open(pixels).resize(side, side, { fit: 'inside' }).toColourspace('srgb').ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(raw.width, raw.height, data)).toString('base64');
}

/** The fields of a new photo, as the write that creates it has them. */
function describe(
  { width, height }: { width: number; height: number },
  placeholder: string,
  kept: PhotoFile,
  files: readonly PhotoFile[],
) {
  const digest = createHash('sha256').update(kept.content).digest('hex').slice(0, 32);
  const widths = [...new Set(files.map((file) => file.width))];
  const addressOf = (format: PhotoFormat, each: number) =>
    mediaPath({ digest, width: each, format });
  const sources = Object.fromEntries(
    PHOTO_FORMATS.map((format) => [
      format,
      widths.map((each) => ({ width: each, url: addressOf(format, each) })),
    ]),
  );
  const bytes = [kept, ...files].reduce((sum, { content }) => sum + content.length, 0);
  const url = addressOf('jpeg', Math.max(...widths));
  return { external_id: digest, width, height, bytes, placeholder, url, sources };
}

/**
 * Makes the files of an upload's photo: upright, in sRGB, without metadata. The head of the upload tells
 * its size before anything is decoded.
 */
export async function makePhoto(content: Buffer): Promise<MadePhoto> {
  const sniffed = sniffPhoto(content);
  if ('problem' in sniffed) return sniffed;
  try {
    const metadata = await sharp(content, { limitInputPixels: false }).metadata();
    const { autoOrient, width, height, pages = 1 } = metadata;
    if (width * height > MAX_PHOTO_PIXELS) return { problem: 'photoPixels' };
    // A row costs the decoder time even where it has one pixel.
    if (Math.max(width, height) > MAX_PHOTO_SIDE) return { problem: 'photoSide' };
    const isLargeAvif = sniffed.type === 'avif' && width * height > MAX_AVIF_PIXELS;
    if (isLargeAvif) return { problem: 'photoAvif' };
    if (pages > 1) return { problem: 'photoAnimated' };
    const pixels = await decode(content);
    const isSmall = Math.max(width, height) <= MAX_KEPT_PHOTO_SIDE;
    const kept = await keptForm(content, metadata, isSmall, pixels);
    const files = await servedFiles(pixels);
    const placeholder = await placeholderOf(pixels);
    return { photo: describe(autoOrient, placeholder, kept, files), files: [kept, ...files] };
  } catch {
    // The library says what it could not read, and in which file: nothing that helps who sent it.
    return { problem: 'photoBroken' };
  }
}
