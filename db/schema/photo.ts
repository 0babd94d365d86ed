import { createHash } from 'node:crypto';
import { constants } from '../runtime/constants.ts';
import type { ShownOf } from './field.ts';
import {
  adminOnly,
  externalId,
  mediaAddress,
  mediaSources,
  percentage,
  readOnly,
  text,
  translations,
  wholeNumber,
} from './kinds.ts';
import { defineRecord } from './record.ts';

/** The formats in which a photo is served, the smallest files first. */
export const PHOTO_FORMATS = ['avif', 'webp', 'jpeg'] as const;
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

/** The media type of each format. */
export const PHOTO_TYPES: Record<PhotoFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
};

const pixels = (description: string) => ({
  label: 'fields.photo.pixels' as const,
  description,
});

/**
 * A picture that the restaurant has uploaded. It is made by an upload, and never by a body: a body may
 * change what it shows and where it is cut.
 */
export const photo = defineRecord({
  resource: 'photos',
  table: 'photos',
  schema: 'Photo',
  one: 'a photo',
  label: 'records.photo',
  isOnMenu: true,
  isUploaded: true,
  fields: {
    external_id: readOnly({
      ...externalId(),
      options: {
        label: 'fields.photo.external_id',
        description:
          'The digest of its content, 32 hexadecimal digits: equal content is one photo. ' +
          'Exports name photos by it.',
      },
    }),
    alt: translations(
      300,
      'What it shows, for those who cannot see it. A dish may have a `photo_alt` of its own.',
    ),
    focus_x: percentage({
      description: 'What must stay visible where it is cut: from 0, left, to 100, right.',
      default: 50,
    }),
    focus_y: percentage({
      description: 'What must stay visible where it is cut: from 0, top, to 100, bottom.',
      default: 50,
    }),
    width: readOnly(wholeNumber(pixels('The width of the upright original, in pixels.'))),
    height: readOnly(wholeNumber(pixels('The height of the upright original, in pixels.'))),
    bytes: adminOnly(
      readOnly(wholeNumber('What it takes of the restaurant’s space for photos, in bytes.')),
    ),
    placeholder: readOnly(
      text(40, 'A blurred picture of at most 40 bytes: a ThumbHash in Base64.'),
    ),
    url: readOnly(
      mediaAddress('The address of its largest JPEG. Equal addresses have equal content for ever.'),
    ),
    sources: readOnly(
      mediaSources(
        PHOTO_FORMATS,
        'Its addresses by format, the smallest width first, as `<source srcset>` names them.',
      ),
    ),
  },
  example: {
    id: 4,
    external_id: 'a3f5c9d2e1b04786a3f5c9d2e1b04786',
    alt: { it: 'Un piatto di gricia' },
    width: 4000,
    height: 3000,
    bytes: 812_345,
    placeholder: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    url: '/media/a3f5c9d2e1b04786a3f5c9d2e1b04786-1280.jpeg',
    sources: Object.fromEntries(
      PHOTO_FORMATS.map((format) => [
        format,
        constants.photoWidths.map((width) => ({
          width,
          url: `/media/a3f5c9d2e1b04786a3f5c9d2e1b04786-${width}.${format}`,
        })),
      ]),
    ),
  },
});
/** A photo as guests see it. */
export type Photo = Omit<ShownOf<typeof photo.fields>, 'id'>;

const mediaName = /^([0-9a-f]{32})-([0-9]{1,4})\.(avif|webp|jpeg)$/;

/** The name of one form of a photo, as addresses below `/media/` have it. */
export interface MediaName {
  digest: string;
  /** In pixels. */
  width: number;
  format: PhotoFormat;
}

export function mediaPath({ digest, width, format }: MediaName): string {
  return `/media/${digest}-${width}.${format}`;
}

/** Null for what names no photo. */
export function parseMediaName(name: string): MediaName | null {
  const [, digest, width, ending] = mediaName.exec(name) ?? [];
  const format = PHOTO_FORMATS.find((one) => one === ending);
  return digest && format ? { digest, width: Number(width), format } : null;
}

/** The size of the picture that stands for a restaurant where its address is shared, in pixels. */
export const LINK_PREVIEW_SIZE = { width: 1_200, height: 630 } as const;

/** All that the picture shows. */
export interface LinkPreview {
  name: string;
  /** Colours as `#rrggbb`. */
  ground: string;
  ink: string;
  /** The folder of the font below `@fontsource-variable`. */
  font: string;
}

/** Equal pictures have equal digests. */
export function linkPreviewDigest({ name, ground, ink, font }: LinkPreview): string {
  const text = JSON.stringify([name, ground, ink, font]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Reasons why bytes are no photo that is taken. */
export type PhotoProblem =
  | 'photoType'
  | 'photoHeic'
  | 'photoAnimated'
  | 'photoBroken'
  | 'photoPixels'
  | 'photoSide'
  | 'photoAvif'
  | 'photoQuota';

/** The type of an upload by its first bytes, or the reason why it is refused. */
type Sniffed = { type: PhotoFormat | 'png' } | { problem: PhotoProblem };

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Chunks of a PNG before its pixels; more of them are no picture of a camera or a drawing program. */
const MAX_CHUNKS = 1_000;
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];
const WEBP_ANIMATION = 0x02;

const ascii = (content: Buffer, start: number, end: number) =>
  content.toString('latin1', start, end);

/** An animated PNG says so before its pixels begin. */
function sniffPng(content: Buffer): Sniffed {
  let at = PNG.length;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + 8 <= content.length; chunks += 1) {
    const name = ascii(content, at + 4, at + 8);
    if (name === 'acTL') return { problem: 'photoAnimated' };
    if (name === 'IDAT') return { type: 'png' };
    at += 12 + content.readUInt32BE(at);
  }
  return { problem: 'photoBroken' };
}

function sniffWebp(content: Buffer): Sniffed {
  const isExtended = ascii(content, 12, 16) === 'VP8X';
  const isAnimated = isExtended && ((content[20] ?? 0) & WEBP_ANIMATION) !== 0;
  return isAnimated ? { problem: 'photoAnimated' } : { type: 'webp' };
}

/** AVIF and HEIC share a container: its brands tell them apart. */
function sniffContainer(content: Buffer): Sniffed {
  const end = Math.min(content.readUInt32BE(0), content.length, 256);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(ascii(content, at, at + 4));
  if (brands[0] === 'avis') return { problem: 'photoAnimated' };
  if (brands.includes('avif')) return { type: 'avif' };
  return { problem: brands.some((one) => HEIC_BRANDS.includes(one)) ? 'photoHeic' : 'photoType' };
}

/** Tells the type of an upload by its content; nothing is decoded. */
export function sniffPhoto(content: Buffer): Sniffed {
  if (content.length >= 3 && content.readUIntBE(0, 3) === 0xffd8ff) return { type: 'jpeg' };
  if (content.subarray(0, PNG.length).equals(PNG)) return sniffPng(content);
  if (content.length >= 21 && ascii(content, 0, 4) === 'RIFF' && ascii(content, 8, 12) === 'WEBP') {
    return sniffWebp(content);
  }
  if (content.length >= 12 && ascii(content, 4, 8) === 'ftyp') return sniffContainer(content);
  return { problem: ascii(content, 0, 4) === 'GIF8' ? 'photoAnimated' : 'photoType' };
}
