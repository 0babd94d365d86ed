import { constants } from '../../../db/runtime/constants.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { isOwnForm } from '../panel-request.ts';
import { readPhotoForm } from '../photos/photos-page.ts';
import { sendPhoto } from '../photos/send-photo.ts';
import type { Editor } from './editor.ts';
import { recordPage } from './record-page.ts';
import { keepSent, readSent } from './sent-form.ts';
import { findState, notFoundPage } from './show-record.ts';

/** Whether a record's form brings a file. */
export function bringsFile({ request }: Desk): boolean {
  const type = request.context.headers.get('content-type') ?? '';
  return /^multipart\/form-data\s*;/i.test(type);
}

/** Uploads the photo of a record's form and shows the form again: the photo is chosen, nothing is saved. */
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
  const file = files.find((one) => one.field === `${field}.file` && one.bytes.length > 0);
  const refuse = (text: string) =>
    recordPage(desk, editor, {
      ...{ ...kept, status: '422 Unprocessable Content', errors: { [field]: text } },
    });
  if (!file) return refuse(say('rules.required'));
  const { name } = file;
  const sent = await sendPhoto(desk, file);
  switch (sent.kind) {
    case 'done': {
      const draft = new Map(kept.draft).set(field, [String(sent.id)]);
      const told = notice('good', say('photos.uploaded', { n: 1 }));
      return recordPage(desk, editor, { ...kept, draft, notice: told });
    }
    case 'refused':
      return refuse(sent.text);
    case 'waiting':
      return refuse(say('photos.later', { name }));
    default:
      return refuse(say('photos.failed', { name }));
  }
}
