import { constants } from '../../../db/runtime/constants.ts';
import type { Answer } from '../../http/answer.ts';
import type { FormFile } from '../../http/multipart.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { isOwnForm } from '../panel-request.ts';
import { readPhotoForm } from '../photos/photos-page.ts';
import { type SentPhoto, sendPhoto } from '../photos/send-photo.ts';
import type { Editor } from './editor.ts';
import { recordPage } from './record-page.ts';
import { keepSent, readSent } from './sent-form.ts';
import { findState, notFoundPage } from './show-record.ts';

/** Whether a record's form brings a file. */
export function bringsFile({ request }: Desk): boolean {
  const type = request.context.headers.get('content-type') ?? '';
  return /^multipart\/form-data\s*;/i.test(type);
}

/** Why a file has become no photo; undefined when it has. */
function troubleOf({ request: { say } }: Desk, { name }: FormFile, sent: SentPhoto) {
  if (sent.kind === 'done') return undefined;
  if (sent.kind === 'refused') return sent.text;
  return say(sent.kind === 'waiting' ? 'photos.later' : 'photos.failed', { name });
}

/**
 * Uploads the photos of a record's form and shows the form again: the first is chosen, the others can be,
 * and nothing is saved.
 */
export async function uploadInForm(desk: Desk, editor: Editor): Promise<Answer> {
  const { request } = desk;
  const { say } = request;
  const { values, files } = await readPhotoForm(desk, constants.maxFormFields);
  const form = formOf(values);
  const state = await findState(desk, editor);
  if (!state) return notFoundPage(desk);
  const kept = keepSent(state, readSent(form));
  if (!isOwnForm(request, form.text('form_token'))) {
    const told = notice('bad', say('editor.stale'));
    return recordPage(desk, editor, { ...kept, status: '403 Forbidden', notice: told });
  }
  const field = form.text('do').replace(/^upload-/, '');
  const given = files.filter((one) => one.field === `${field}.file` && one.bytes.length > 0);
  const sent: [FormFile, SentPhoto][] = [];
  for (const file of given) sent.push([file, await sendPhoto(desk, file)]);
  const made = sent.flatMap(([, one]) => (one.kind === 'done' ? [String(one.id)] : []));
  const draft = made[0] === undefined ? kept.draft : new Map(kept.draft).set(field, [made[0]]);
  const troubles = sent.flatMap(([file, one]) => troubleOf(desk, file, one) ?? []);
  if (given.length === 0) troubles.push(say('rules.required'));
  if (troubles.length > 0) {
    const errors = { [field]: troubles.join(' ') };
    return recordPage(desk, editor, {
      ...kept,
      draft,
      status: '422 Unprocessable Content',
      errors,
    });
  }
  const told = notice('good', say('photos.uploaded', { n: made.length }));
  return recordPage(desk, editor, { ...kept, draft, notice: told });
}
