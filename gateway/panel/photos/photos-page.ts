import { constants } from '../../../db/runtime/constants.ts';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import { newWriteId } from '../../../db/schema/write.ts';
import { findPhotoRoom, type ListedPhoto, listPhotos } from '../../../db/sql/photos.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import { TooLargeError } from '../../http/errors.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { FormFile } from '../../http/multipart.ts';
import { photoTrouble } from '../../routes/records/upload-photo.ts';
import type { Desk } from '../desk.ts';
import { readParts } from '../form.ts';
import { ACCEPTED, uploadTexts } from '../forms/photo-group.ts';
import { hiddenFields, notice } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { nameIn } from '../texts/choose.ts';
import { messageNotice } from '../writes/message.ts';
import { asFailed } from '../writes/save.ts';

/** Photos that one form of the panel uploads. */
export const MAX_PHOTOS_PER_FORM = 20;

/** The photo of a file, or why there is none: beside the file's field, and in a list of files. */
type SentPhoto = { id: number } | { id: null; trouble: string; line: string };

/** Uploads a file and waits until its photo is there. */
async function sendPhoto(
  { request, session, writes, bound, say, tenantId }: Desk,
  { bytes, name }: FormFile,
): Promise<SentPhoto> {
  const { context } = request;
  const refused = (text: string) => ({ id: null, trouble: text, line: `${name}: ${text}` });
  const unmade = (text: 'photos.later' | 'photos.failed') => {
    const line = say(text, { name });
    return { id: null, trouble: line, line };
  };
  const trouble = photoTrouble(bytes);
  if (trouble) return refused(sayBroken(say, trouble));
  if (bound.take(tenantId) > 0) return unmade('photos.failed');
  const id = newWriteId();
  const upload = { tenantId, id, tokenId: -session.user_id, content: bytes };
  const settled = await writes
    .settleUpload({ tenant_id: tenantId, id, upload }, context.restaurant.tenant.slug)
    .catch(asFailed);
  if ('kind' in settled) return unmade('photos.failed');
  if (settled.result === null) return unmade('photos.later');
  const { outcome, record_id } = settled.result;
  if (outcome.kind === 'invalid') {
    const [first] = Object.values(outcome.errors).flat();
    return refused(first ? sayBroken(say, first) : '');
  }
  return record_id === null ? unmade('photos.failed') : { id: record_id };
}

/** Uploads files, one after the other. */
export async function sendPhotos(desk: Desk, files: readonly FormFile[]): Promise<SentPhoto[]> {
  const sent: SentPhoto[] = [];
  for (const file of files) sent.push(await sendPhoto(desk, file));
  return sent;
}

export const PHOTOS_PATH = '/admin/photos';
const BYTES_PER_MB = 1_048_576;
/** Fields of the page's form beside the files. */
const PARTS = { fields: 4, files: MAX_PHOTOS_PER_FORM };

function labelOf({ say, language }: Desk['request'], { id, alt }: ListedPhoto): string {
  return nameIn(alt, language) || say('photos.numbered', { n: id });
}

function card(desk: Desk, photo: ListedPhoto): Html {
  const size = html`width="${photo.width}" height="${photo.height}"`;
  return html`<li><a href="${PHOTOS_PATH}/${photo.id}"><img src="${photo.thumbnail}" alt="" loading="lazy" ${size}>
<span>${labelOf(desk.request, photo)}</span></a></li>`;
}

function uploadForm({ request, say }: Desk): Html {
  return html`<form class="card part photo-upload" method="post" action="${PHOTOS_PATH}" \
enctype="multipart/form-data" data-upload=""${uploadTexts(say)}>${hiddenFields(request)}
<div class="field"><label for="photos">${say('photos.chooseMany')}</label>
<p class="hint" id="photos-hint">${say('photos.hint')}</p>
<input id="photos" type="file" name="file" accept="${ACCEPTED}" multiple aria-describedby="photos-hint"></div>
<button class="main">${say('photos.upload')}</button>
<p role="status"></p></form>`;
}

async function photosPage(desk: Desk, notice: Content, status?: string): Promise<Answer> {
  const { db, photosMb, say, tenantId } = desk;
  const photos = await listPhotos(db, tenantId, constants.maxListedPhotos);
  const { used: bytes, quota } = await findPhotoRoom(db, tenantId);
  const used = Math.ceil(bytes / BYTES_PER_MB);
  const total = Math.min(photosMb, quota ?? photosMb);
  const title = say('places.photos');
  const content = html`<p class="intro">${say('photos.intro', { days: constants.unusedPhotoDays })}</p>
${uploadForm(desk)}
<p class="hint">${say('photos.room', { used, total })}</p>
${
  photos.length === 0
    ? html`<p class="hint">${say('photos.empty')}</p>`
    : html`<ul class="photo-grid">${photos.map((photo) => card(desk, photo))}</ul>`
}`;
  return titledPage(desk, { state: { status, notice }, title, content, place: 'photos' });
}

/** `GET /admin/photos` */
export async function showPhotos(desk: Desk): Promise<Answer> {
  return photosPage(desk, await messageNotice(desk));
}

/** The answer to the script, which sends one file at a time. */
async function scriptAnswer(desk: Desk, sent: SentPhoto): Promise<Answer> {
  const { db, request, tenantId } = desk;
  const { id } = sent;
  const [listed] = id === null ? [] : await listPhotos(db, tenantId, 1, id);
  const photo = listed && { id, image: listed.thumbnail, label: labelOf(request, listed) };
  const text = sent.id === null ? sent.line : null;
  return jsonAnswer('200 OK', JSON.stringify({ photo: photo ?? null, text }));
}

/** `POST /admin/photos`: uploads files, one after the other. */
export async function uploadPhotos(desk: Desk): Promise<Answer> {
  const { request, say } = desk;
  const form = await readParts(request.context, PARTS).catch((error) => {
    if (error instanceof TooLargeError) return null;
    throw error;
  });
  if (!form)
    return photosPage(desk, notice('bad', say('rules.photoSize')), '413 Content Too Large');
  if (!isOwnForm(request, form.fields.get('form_token') ?? '')) {
    return photosPage(desk, notice('bad', say('import.stale')), '403 Forbidden');
  }
  const given = form.files.filter(({ name, bytes }) => name !== '' || bytes.length > 0);
  const sent = await sendPhotos(desk, given);
  const isScript = (request.context.headers.get('accept') ?? '').includes('application/json');
  const [first] = sent;
  if (isScript && first) return scriptAnswer(desk, first);
  const lines = sent.flatMap((one) => (one.id === null ? [one.line] : []));
  const count = sent.length - lines.length;
  const list = lines.length > 0 && html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  const isBad = lines.length > 0 || count === 0;
  const message = notice(
    isBad ? 'bad' : 'good',
    say('photos.uploaded', { n: count }),
    list || null,
  );
  return photosPage(desk, message, isBad ? '422 Unprocessable Content' : undefined);
}
