import { constants } from '../../db/runtime/constants.ts';

interface Written {
  method: string;
  /** Below the prefix of the API. */
  template: string;
}

export const JPEG = { 'Content-Type': 'image/jpeg' };

const RECORD = JSON.stringify({ name: 'x'.repeat(1_100_000) });
const MENU = ' '.repeat(constants.maxDocumentBytes + 1);
const PHOTO = ' '.repeat(constants.maxPhotoBytes + constants.maxFormBytes + 1);

/** Whether an operation reads a photo. */
export function takesPhotos({ method, template }: Written): boolean {
  return method === 'POST' && template === '/admin/photos';
}

/** A body that is longer than an operation reads. */
export function tooLarge(one: Written): string {
  if (takesPhotos(one)) return PHOTO;
  return /^\/admin\/(bulk|import)$/.test(one.template) ? MENU : RECORD;
}
