import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import type { Answer } from '../../http/answer.ts';
import { NoFormError, TooLargeError } from '../../http/errors.ts';
import { createRouter } from '../../pipeline/router.ts';
import { findChosen } from '../chosen-release.ts';
import { type Desk, type DeskOptions, makeDesk } from '../desk.ts';
import { type Form, readForm, readParts } from '../form.ts';
import { IMPORT_PATH } from '../import/import-page.ts';
import { carryOn, IMPORT_PARTS, readUploadedImport } from '../import/read-upload.ts';
import { compareKept } from '../import/run-import.ts';
import { showKeptMenu } from '../menu/change-menu.ts';
import { addressOf, isPanelPath } from '../navigation.ts';
import { notice } from '../pages/fields.ts';
import { messagePage } from '../pages/message-page.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isFromOurPage, type KeptForm, type PanelRequest } from '../panel-request.ts';
import { mayOpen } from '../permission.ts';
import { EDITORS } from '../records/editor.ts';
import { showKept } from '../records/show-record.ts';
import { findSession } from './sessions.ts';
import { MAX_KEPT, signInPage, untouchedSignInPage } from './sign-in-page.ts';

// Forms whose sender's session has ended while they were filled in.

/** Shows a page with what a form of it holds. */
type ShowKept = (desk: Desk, form: Form) => Promise<Answer>;

const keptPages = createRouter<{ method: string; path: string; show: ShowKept }>([
  { method: 'POST', path: '/admin/menu', show: showKeptMenu },
  ...EDITORS.map((editor) => ({
    ...{ method: 'POST', path: editor.path },
    show: (desk: Desk, form: Form) => showKept(desk, editor, form),
  })),
]);

/** How the page is shown whose form was sent to a path. */
function findKeptPage(path: string): { show: ShowKept; param: string } | null {
  const match = keptPages.match(path);
  const route = match?.routes.get('POST');
  return match && route ? { show: route.show, param: match.param } : null;
}

/** Whether a body is too long to be waited for or read while its sender is a stranger. */
function isLongForStranger({ context }: PanelRequest): boolean {
  return Number(context.headers.get('content-length') ?? 0) > constants.maxStrangerFormBytes;
}

/**
 * For a form that came without a session: the sign-in page, which keeps what the form of a record or of
 * the menu held, or a file. Forms of other sites are not kept.
 */
export async function askToSignIn(request: PanelRequest): Promise<Answer> {
  const { context } = request;
  const path = addressOf(context);
  // The sender of a form was signed in when it was shown.
  const expired = redirectAnswer(request, '/admin/sign-in?because=expired');
  if (context.path === IMPORT_PATH) return keepUpload(request);
  if (!findKeptPage(context.path)) return expired;
  if (isLongForStranger(request)) return expired;
  const form = await readForm(context, constants.maxStrangerFormBytes);
  if (!isFromOurPage(request, form.text('form_token'))) return expired;
  if (form.text('do') === 'delete') return expired;
  const body = (await context.body).toString();
  if (body === '' || body.length > MAX_KEPT || !isPanelPath(path)) return expired;
  return untouchedSignInPage(
    { ...request, purpose: { next: null, kept: { path, body } } },
    'expired',
  );
}

/** Shows what a kept form held once its sender has signed in; null when there is no such page. */
export function createResume(options: DeskOptions) {
  return async (request: PanelRequest, kept: KeptForm): Promise<Answer | null> => {
    const [path = '', query = ''] = kept.path.split(/\?(.*)/);
    const found = findKeptPage(path);
    const isImport = path === IMPORT_PATH;
    const cookie = { ...request.cookie, isNew: false };
    const session = (found || isImport) && (await findSession(options.db, { ...request, cookie }));
    // Somebody else may have signed in, who may not open that page.
    if (!session || !mayOpen(session.role, path)) return null;
    const context = { ...request.context, path, param: found?.param ?? '', query };
    const asked = { ...request, context };
    const chosen = await findChosen(options.db, asked);
    const desk = makeDesk(options, asked, session, chosen);
    if (!found) {
      const fields = new Map(new URLSearchParams(kept.body));
      return compareKept(
        desk,
        await readUploadedImport({ fields, values: new Map(), files: [] }, context.claim),
      );
    }
    const headers = new Map([['content-type', 'application/x-www-form-urlencoded']]);
    const sent = { headers, body: Promise.resolve(Buffer.from(kept.body)) };
    return found.show(desk, await readForm(sent, MAX_KEPT));
  };
}

/** The fields that bring the file back; null when it is none that the sign-in page can keep. */
async function keptBody(request: PanelRequest): Promise<string | null> {
  if (isLongForStranger(request)) return null;
  try {
    if ((await request.context.body).length > constants.maxStrangerFormBytes) return null;
    const parts = await readParts(request.context, IMPORT_PARTS);
    if (!isFromOurPage(request, parts.fields.get('form_token') ?? '')) return null;
    const fields = await carryOn(parts);
    const kept = new URLSearchParams(fields ?? {}).toString();
    return kept === '' || kept.length > MAX_KEPT ? null : kept;
  } catch (error) {
    if (error instanceof NoFormError || error instanceof TooLargeError) return null;
    throw error;
  }
}

/** For an upload without a session: the sign-in page, which keeps a file that is not too large. */
async function keepUpload(request: PanelRequest): Promise<Answer> {
  const body = await keptBody(request);
  if (body !== null) {
    const purpose = { next: null, kept: { path: IMPORT_PATH, body } };
    return untouchedSignInPage({ ...request, purpose }, 'expired');
  }
  const purpose = { next: IMPORT_PATH, kept: null };
  const message = notice('bad', request.say('import.notKept'));
  return signInPage({ ...request, purpose }, { notice: message });
}

/**
 * The page for a form that another site has sent, whatever it asks for. Nothing of the form is read or
 * kept, and no cookie changes. It says so, because the sender of a sign-out must not believe that it
 * was done.
 */
export async function refuseForeignForm({ db }: { db: Database }, request: PanelRequest) {
  const session = await findSession(db, request);
  const isSignOut = request.context.path === '/admin/sign-out';
  const title = request.say(isSignOut ? 'failures.notSignedOutTitle' : 'failures.foreignTitle');
  const text = request.say(isSignOut ? 'failures.notSignedOut' : 'failures.foreign');
  return messagePage(request, '403 Forbidden', title, text, session);
}
