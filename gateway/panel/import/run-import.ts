import type { Answer } from '../../http/answer.ts';
import { NoFormError, TooLargeError } from '../../http/errors.ts';
import type { Content } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { newFormId } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { isOwnForm } from '../panel-request.ts';
import { redirectTelling } from '../writes/message.ts';
import { carryingPage, diffPage, IMPORT_PATH, invalidPage, troublePage } from './import-page.ts';
import { type Asked, type ImportUpload, readUpload } from './read-upload.ts';
import { type Imported, sendImport } from './send-import.ts';
import { wholeErrors } from './value-text.ts';

/** The page for an import that was not done; it keeps the file. */
function refuse(
  desk: Desk,
  upload: ImportUpload,
  imported: Exclude<Imported, { kind: 'compared' | 'outdated' | 'waiting' }>,
): Answer {
  const { say } = desk;
  if (imported.kind === 'invalid') {
    return invalidPage(desk, upload, wholeErrors(say, imported.errors), imported.table);
  }
  const isMany = imported.kind === 'too-many';
  const status = isMany ? '429 Too Many Requests' : '503 Service Unavailable';
  const message = notice('bad', say(isMany ? 'import.tooMany' : 'import.unavailable'));
  return carryingPage(desk, { ...upload, formId: newFormId() }, status, message, null);
}

/** The page for what has no result yet: the same form asks for the result of what it has sent. */
function wait(desk: Desk, upload: ImportUpload, applyTo: string | null): Answer {
  const { say } = desk;
  const message =
    applyTo === null ? notice('bad', say('import.slow')) : notice('good', say('messages.waiting'));
  return carryingPage(desk, upload, '202 Accepted', message, applyTo);
}

/** Compares a file with the menu and shows the difference. */
async function compare(desk: Desk, upload: ImportUpload, message: Content): Promise<Answer> {
  const imported = await sendImport(desk, upload, null);
  if (imported.kind === 'compared') return diffPage(desk, upload, imported, message);
  if (imported.kind === 'waiting') return wait(desk, upload, null);
  return refuse(desk, upload, imported.kind === 'outdated' ? { kind: 'failed' } : imported);
}

/** Applies a file to the menu whose difference was shown; when the menu is another, shows it anew. */
async function apply(desk: Desk, upload: ImportUpload, applyTo: string): Promise<Answer> {
  const { say } = desk;
  const imported = await sendImport(desk, upload, applyTo);
  if (imported.kind === 'waiting') return wait(desk, upload, applyTo);
  if (imported.kind === 'outdated') {
    const message = notice('bad', say('import.changedMeanwhile'));
    return compare(desk, { ...upload, formId: newFormId() }, message);
  }
  if (imported.kind !== 'compared') return refuse(desk, upload, imported);
  const { id, isApplied, diff } = imported;
  if (!isApplied) return diffPage(desk, upload, imported, null);
  const { created, updated, deleted, failed } = diff.counts;
  const values = { created, updated, deleted, failed };
  const key = [upload.formId, 'import', applyTo];
  return redirectTelling(desk, key, IMPORT_PATH, { text: 'imported', values, undo: id });
}

/** The fields of the form, or the page that says why it cannot be read. */
async function readAskedOrRefuse(desk: Desk): Promise<Asked | Answer> {
  try {
    return await readUpload(desk.request);
  } catch (error) {
    if (error instanceof TooLargeError) return troublePage(desk, '413 Content Too Large', 'large');
    if (error instanceof NoFormError) {
      return troublePage(desk, '415 Unsupported Media Type', 'broken');
    }
    throw error;
  }
}

/** `POST /admin/import`: shows what a file would change, or applies what was shown. */
export async function runImport(desk: Desk): Promise<Answer> {
  const { request, say } = desk;
  const asked = await readAskedOrRefuse(desk);
  if ('head' in asked) return asked;
  const { upload, applyTo } = asked;
  const status = '422 Unprocessable Content';
  if ('trouble' in upload) return troublePage(desk, status, upload.trouble, asked);
  if (!isOwnForm(request, asked.formToken)) {
    const message = notice('bad', say('import.stale'));
    return carryingPage(desk, { ...upload, formId: newFormId() }, '403 Forbidden', message, null);
  }
  return applyTo === null ? compare(desk, upload, null) : apply(desk, upload, applyTo);
}

/** The difference that a file would make, after its sender has signed in again. */
export function compareKept(desk: Desk, { upload }: Asked): Promise<Answer> {
  if ('trouble' in upload) {
    return Promise.resolve(troublePage(desk, '422 Unprocessable Content', upload.trouble));
  }
  return compare(desk, upload, notice('good', desk.say('import.kept')));
}
