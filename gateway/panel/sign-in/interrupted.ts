import { constants } from '../../../db/runtime/constants.ts';
import type { Answer } from '../../http/answer.ts';
import { createRouter } from '../../pipeline/router.ts';
import type { DeskOptions } from '../desk.ts';
import { readForm } from '../form.ts';
import { IMPORT_PATH } from '../import/import-page.ts';
import { keepUpload } from '../import/kept-upload.ts';
import { readAsked } from '../import/read-upload.ts';
import { compareKept } from '../import/run-import.ts';
import { redirectAnswer } from '../pages/page.ts';
import { EDITORS, type Editor } from '../records/editor.ts';
import { showKept } from '../records/show-record.ts';
import { isFromOurPage, type Visit } from '../visit.ts';
import { type KeptForm, MAX_KEPT } from './kept-form.ts';
import { findSession } from './sessions.ts';
import { untouchedSignInPage } from './sign-in-page.ts';

// Forms whose sender's session has ended while they were filled in.

const editors = createRouter(
  Object.values(EDITORS).map((editor) => ({ method: 'POST', path: editor.path, editor })),
);

/** The page whose form was sent to a path. */
function findEditor(path: string): { editor: Editor; param: string } | null {
  const match = editors.match(path);
  const editor = match?.routes.get('POST')?.editor;
  return match && editor ? { editor, param: match.param } : null;
}

/**
 * For a form that came without a session: the sign-in page, which keeps what a record's form held. What
 * another site sends is not kept.
 */
export async function askToSignIn(visit: Visit, domain: string): Promise<Answer> {
  const { context } = visit;
  const { path } = context;
  // The sender of a form was signed in when it was shown.
  const expired = redirectAnswer(visit, '/admin/sign-in?because=expired');
  if (path === IMPORT_PATH) return isFromOurPage(visit, domain) ? keepUpload(visit) : expired;
  if (!findEditor(path) || !isFromOurPage(visit, domain)) return expired;
  const form = await readForm(context, constants.maxRecordFormBytes);
  if (form.text('do') === 'delete') return expired;
  const body = (await context.body).toString();
  if (body === '' || body.length > MAX_KEPT) return expired;
  return untouchedSignInPage(
    { ...visit, purpose: { next: null, kept: { path, body } } },
    'expired',
  );
}

/** Shows what a kept form held once its sender has signed in; null when there is no such page. */
export function createResume(options: DeskOptions) {
  return async (visit: Visit, { path, body }: KeptForm): Promise<Answer | null> => {
    const found = findEditor(path);
    const isImport = path === IMPORT_PATH;
    const cookie = { ...visit.cookie, isNew: false };
    const session = (found || isImport) && (await findSession(options.db, { ...visit, cookie }));
    if (!session) return null;
    const context = { ...visit.context, path, param: found?.param ?? '', query: '' };
    const desk = { ...options, visit: { ...visit, context }, session };
    if (!found) return compareKept(desk, await readAsked(new Map(new URLSearchParams(body))));
    const headers = new Map([['content-type', 'application/x-www-form-urlencoded']]);
    const kept = { headers, body: Promise.resolve(Buffer.from(body)) };
    return showKept(desk, found.editor, await readForm(kept, MAX_KEPT));
  };
}
