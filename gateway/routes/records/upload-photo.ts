import { constants } from '../../../db/runtime/constants.ts';
import { sniffPhoto } from '../../../db/schema/photo.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { createIgnoredFields } from '../../../db/schema/validation/check-input.ts';
import { type Broken, broken } from '../../../db/schema/validation/rule.ts';
import { madeSafe } from '../../../db/schema/validation/safe-text.ts';
import { newWriteId } from '../../../db/schema/write.ts';
import { InvalidError, UnsupportedTypeError } from '../../http/errors.ts';
import { readMultipart } from '../../http/multipart.ts';
import { unknownParameters } from '../../http/query.ts';
import { guarded } from '../frame/endpoints.ts';
import type { ApiRoute } from '../frame/services.ts';
import { RESULT, WRITE_ACCEPTED, writtenAnswer } from './answers.ts';
import { isAsync } from './read-write.ts';

/** Types under which photos come; what they are is told by their content. */
const PHOTO_TYPE = /^(image\/[\w.+-]+|application\/octet-stream)\s*(;|$)/i;
const FORM_TYPE = /^multipart\/form-data\s*;/i;

/** The field of a form that has the photo. */
const FIELD = 'file';
/** A form may hold more than the photo: what is more is named, and a second photo refused. */
const PARTS = { fields: 16, files: 2 };

/** The bytes of a photo, and the names of fields that were ignored. */
interface SentPhoto {
  bytes: Buffer;
  ignored: readonly string[];
}

/** The photo of a form. @throws InvalidError */
async function readForm(type: string, body: Buffer): Promise<SentPhoto> {
  const { fields, files } = await readMultipart(type, body, PARTS).catch(() => ({
    fields: new Map(),
    files: [],
  }));
  const photos = files.filter(({ field }) => field === FIELD);
  const [photo] = photos;
  if (photos.length > 1) throw new InvalidError({ [FIELD]: [broken('maxItems', { max: 1 })] });
  if (photo && photo.bytes.length > 0) {
    const ignored = createIgnoredFields();
    const names = [...fields.keys(), ...files.map(({ field }) => field)];
    ignored.note(Object.fromEntries(names.map((name) => [name, null])), [FIELD]);
    return { bytes: photo.bytes, ignored: ignored.paths() };
  }
  const [other] = files.filter(({ field }) => field !== FIELD);
  const given = other && madeSafe(other.field);
  throw new InvalidError({
    [FIELD]: [given === undefined ? broken('required') : broken('otherField', { given })],
  });
}

/** @throws UnsupportedTypeError, InvalidError */
async function readPhoto(headers: ReadonlyMap<string, string>, body: Buffer): Promise<SentPhoto> {
  const type = headers.get('content-type')?.trim() ?? '';
  if (FORM_TYPE.test(type)) return readForm(type, body);
  if (type !== '' && !PHOTO_TYPE.test(type)) throw new UnsupportedTypeError();
  return { bytes: body, ignored: [] };
}

/** Why bytes are no photo that is taken; null for a photo. */
export function photoTrouble(content: Buffer): Broken | null {
  if (content.length === 0) return broken('required');
  if (content.length > constants.maxPhotoBytes) return broken('photoSize');
  const sniffed = sniffPhoto(content);
  return 'problem' in sniffed ? broken(sniffed.problem) : null;
}

/** `POST /admin/photos` */
export const uploadPhotoRoute: ApiRoute = guarded('POST', '/admin/photos', RIGHTS.menu.write, {
  description: {
    id: 'uploadPhoto',
    tag: 'Records',
    summary: 'Upload a photo',
    details:
      'JPEG, PNG, WebP or AVIF, told apart by content, of at most 12 MiB, 40 megapixels and 8,192 ' +
      'pixels a side; an AVIF of at most 12.5 megapixels. A worker turns it upright, takes its metadata away and makes AVIF, WebP and ' +
      'JPEG in 320, 640 and 1280 pixels, never larger than the original. The answer comes when they are there, or 202 when that takes ' +
      'long. The same content is the same photo. Name it in `photo_id` of a dish or section, or in ' +
      '`logo_photo_id` or `cover_photo_id` of the settings.',
    parameters: ['Prefer'],
    upload: { field: FIELD, types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] },
    answers: {
      200: writtenAnswer('photos', 'The restaurant had this photo already.'),
      201: {
        ...writtenAnswer('photos', 'The new photo.'),
        headers: [...RESULT, 'ETag', 'Location'],
      },
      202: WRITE_ACCEPTED,
    },
    refusals: [413, 415],
  },
  call: async (context, { writes }) => {
    const { tenant, token, headers, free } = context;
    const body = await context.body;
    const { bytes: content, ignored } = await readPhoto(headers, body);
    const trouble = photoTrouble(content);
    if (trouble) throw new InvalidError({ [FIELD]: [trouble] });
    const upload = { tenantId: tenant.id, id: newWriteId(), tokenId: token.id, content };
    return writes.upload(upload, tenant.slug, {
      isAsync: isAsync(context),
      ignored: [...unknownParameters(context.query, []), ...ignored],
      // The photo of a form is a copy, which lasts as long as the request: the body counts for it.
      onStored: content === body ? free : () => undefined,
    });
  },
});
