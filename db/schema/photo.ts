import * as v from 'valibot';
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
    alt: translations(300, {
      label: 'fields.photo.alt',
      description:
        'What it shows, for those who cannot see it. A dish may have a `photo_alt` of its own.',
    }),
    focus_x: percentage({
      label: 'fields.photo.focus_x',
      description: 'What must stay visible where it is cut: from 0, left, to 100, right.',
      default: 50,
    }),
    focus_y: percentage({
      label: 'fields.photo.focus_y',
      description: 'What must stay visible where it is cut: from 0, top, to 100, bottom.',
      default: 50,
    }),
    width: readOnly(wholeNumber(pixels('The width of the upright original, in pixels.'))),
    height: readOnly(wholeNumber(pixels('The height of the upright original, in pixels.'))),
    bytes: adminOnly(
      readOnly(
        wholeNumber({
          label: 'fields.photo.bytes',
          description: 'What it takes of the restaurant’s space for photos, in bytes.',
        }),
      ),
    ),
    placeholder: readOnly(
      text(40, {
        label: 'fields.photo.placeholder',
        description: 'A blurred picture of at most 40 bytes: a ThumbHash in Base64.',
      }),
    ),
    url: readOnly(
      mediaAddress({
        label: 'fields.photo.url',
        description:
          'The address of its largest JPEG. Equal addresses have equal content for ever.',
      }),
    ),
    sources: readOnly(
      mediaSources(PHOTO_FORMATS, {
        label: 'fields.photo.sources',
        description:
          'Its addresses by format, the smallest width first, as `<source srcset>` names them.',
      }),
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
  const [, digest, width, format] = mediaName.exec(name) ?? [];
  if (digest === undefined) return null;
  return { digest, width: Number(width), format: format as PhotoFormat };
}

/** The fields of a new photo, as the write that creates it has them. */
const photoInputSchema = v.object({
  external_id: v.string(),
  width: v.number(),
  height: v.number(),
  bytes: v.number(),
  placeholder: v.string(),
  url: v.string(),
  sources: v.record(v.string(), v.array(v.object({ width: v.number(), url: v.string() }))),
});
export type PhotoInput = v.InferOutput<typeof photoInputSchema>;
