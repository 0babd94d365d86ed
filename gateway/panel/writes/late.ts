import { constants } from '../../../db/runtime/constants.ts';
import { findWriteResults } from '../../../db/sql/writes.ts';
import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type Form, isFormId, readForm } from '../form.ts';
import { addressOf } from '../navigation.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { findMessage, keepMessage, messageId, messagePath } from './message.ts';
import { LateWriteError } from './save.ts';

/** Outcomes of writes that were done; `bulk` also names those that were not. */
const DONE = new Set(['created', 'changed', 'unchanged', 'restored', 'deleted']);

/** The field by which a form asks for the result of the write that it has sent. */
const LATE = 'late';

const keyOf = (write: string) => ['late', write];
const historyOf = (write: string) => `/admin/history?write=${write}`;

/**
 * The page of a change without a result: it holds the form, which is sent again until there is one.
 *
 * @param write for `followLate`; null when the form's own page tells the result of the same form
 * @param leave where the change can be followed without this page
 */
export async function latePage(
  desk: Desk,
  write: string | null,
  { path: leave, label }: { path: string; label: string },
): Promise<Answer> {
  const { request, say } = desk;
  const form = await readForm(request.context, constants.maxRecordFormBytes);
  const fields = [...form.all()].filter(([name]) => name !== LATE);
  const title = say('late.title');
  const content = html`<section class="card question" role="status">
<h1 tabindex="-1" autofocus>${title}</h1>
<p>${say('late.text')}</p>
<form class="late" method="post" action="${addressOf(request.context)}">
${fields.flatMap(([name, values]) =>
  values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
)}${write !== null && html`<input type="hidden" name="${LATE}" value="${write}">`}
<p class="row"><button class="button main">${say('late.again')}</button> <a class="button" href="${leave}">${label}</a></p>
</form>
</section>`;
  const status = '202 Accepted';
  return deskPage(desk, { status, title, content, place: 'menu', isLive: true });
}

/** The page of a write of the menu. */
function inMenu(desk: Desk, write: string): Promise<Answer> {
  const label = desk.say('late.leave');
  return latePage(desk, write, { path: historyOf(write), label });
}

/**
 * For a form whose write had no result in time: the page that says so and follows it. Any other error
 * is thrown again.
 */
export async function showLate(desk: Desk, error: unknown): Promise<Answer> {
  if (!(error instanceof LateWriteError)) throw error;
  const { write, canUndo, next } = error.late;
  const path = next ?? addressOf(desk.request.context);
  const undo = canUndo ? write : undefined;
  await keepMessage(desk, keyOf(write), path, { text: 'lateSaved', undo });
  return inMenu(desk, write);
}

/** Whether the form asks for the result of a write that it has sent before. */
async function readLate({ request: { context } }: Desk): Promise<Form | null> {
  const isForm = context.headers
    .get('content-type')
    ?.startsWith('application/x-www-form-urlencoded');
  if (!isForm || !(await context.body).includes(`${LATE}=`)) return null;
  return readForm(context, constants.maxRecordFormBytes);
}

/**
 * The answer to a form that asks for the result of its write. Null for other forms, and for a write
 * that was refused: then the page of the form shows why, with all that was typed, because the same form
 * gets the same result.
 */
export async function followLate(desk: Desk): Promise<Answer | null> {
  const { db, request, tenantId } = desk;
  const form = await readLate(desk);
  const write = form?.text(LATE) ?? '';
  if (!form || !isFormId(write) || !isOwnForm(request, form.text('form_token'))) return null;
  const [found] = await findWriteResults(db, [{ tenantId, id: write }]);
  // Results are kept for a day; the history shows what was done before.
  const inHistory = () => redirectAnswer(request, historyOf(write));
  if (!found) return inHistory();
  if (!found.result) return inMenu(desk, write);
  const { outcome } = found.result;
  const isDone = outcome.kind === 'bulk' ? outcome.applied : DONE.has(outcome.kind);
  if (!isDone) return null;
  const id = messageId(keyOf(write));
  const message = await findMessage(desk, id);
  return message ? redirectAnswer(request, messagePath(message.said.path, id)) : inHistory();
}
