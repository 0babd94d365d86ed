import { createHash } from 'node:crypto';
import type { PanelChange } from '../../../db/schema/write.ts';
import { findEntryOfJob } from '../../../db/sql/history.ts';
import { findChange, saveChange } from '../../../db/sql/sessions.ts';
import type { Panel } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, html } from '../../http/html.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import type { Desk } from '../desk.ts';
import { isFormId, newFormId, readForm } from '../form.ts';
import { hiddenFields, notice } from '../pages/fields.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { asFailed, sendWrite } from './save.ts';

export type MessageText = keyof Panel['messages'];

/** The message of a page about a change. */
export interface Message {
  text: MessageText;
  values?: Record<string, string | number>;
  /** The write that can be taken back. */
  undo?: string | undefined;
}

const BAD: ReadonlySet<MessageText> = new Set([
  'someFailed',
  'notUndone',
  'undoRefused',
  'tooOld',
  'refused',
  'gone',
  'failed',
  'stale',
  'orderChanged',
  'notRestored',
  'tooLate',
  'releaseRefused',
]);

/** Messages about records that are gone. */
const DELETIONS: ReadonlySet<string> = new Set(['deleted', 'removed']);

/**
 * Names what was asked for, so that the same form that is sent again has the same message.
 *
 * @param key the form's name and what it said
 */
export function messageId(key: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function keyOf({ request, tenantId }: Desk, id: string) {
  return { tenantId, sessionHash: hashCookie(request.cookie), id };
}

/** The address of a page on which a message stands. */
export function messagePath(path: string, id: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}done=${id}`;
}

/** Says of a change that went into a release where it is. */
function intoRelease({ chosen }: Desk, message: Message): Message {
  if (!chosen?.took || BAD.has(message.text)) return message;
  return { text: 'intoRelease', values: { name: chosen.release.name } };
}

/**
 * Sends the browser to a page that says what has become of a form, with a button that takes it back.
 *
 * @param key as of `messageId`
 * @param path may have a query
 */
export async function redirectTelling(
  desk: Desk,
  key: readonly unknown[],
  path: string,
  message: Message,
): Promise<Answer> {
  const id = await keepMessage(desk, key, path, message);
  return redirectAnswer(desk.request, messagePath(path, id));
}

/** Keeps the message that `messagePath` shows, and returns its id. */
export async function keepMessage(
  desk: Desk,
  key: readonly unknown[],
  path: string,
  message: Message,
): Promise<string> {
  const { text, values = {}, undo } = intoRelease(desk, message);
  const change: PanelChange = {
    said: { text, values, is_bad: BAD.has(text), path },
    undo: undo === undefined ? null : { write: undo },
  };
  const id = messageId(key);
  await saveChange(desk.db, keyOf(desk, id), change);
  return id;
}

export function findMessage(desk: Desk, id: string): Promise<PanelChange | null> {
  return isFormId(id) ? findChange(desk.db, keyOf(desk, id)) : Promise.resolve(null);
}

/**
 * The message of the change that the page's address names, or nothing.
 *
 * @param isFocused whether it is read out first; else the page's own focus stays
 */
export async function messageNotice(desk: Desk, isFocused = true): Promise<Content> {
  const { request, say } = desk;
  const id = new URLSearchParams(request.context.query).get('done') ?? '';
  const message = id === '' ? null : await findMessage(desk, id);
  if (!message) return null;
  const { said, undo } = message;
  const button = DELETIONS.has(said.text) ? 'actions.restore' : 'actions.undo';
  const form =
    undo &&
    html`<form method="post" action="/admin/menu/undo">${hiddenFields(request)}
  <input type="hidden" name="change" value="${id}">
  <button class="button">${say(button)}</button> <a href="/admin/history?write=${undo.write}">${say('history.see')}</a></form>`;
  const text = say(`messages.${said.text as MessageText}`, said.values);
  return notice(said.is_bad ? 'bad' : 'good', text, form, isFocused || said.is_bad);
}

/** Takes a write back, and says what it came to. */
async function takeBack(desk: Desk, change: string, path: string, write: string): Promise<Message> {
  const { db, tenantId } = desk;
  const entry = await findEntryOfJob(db, tenantId, write);
  if (!entry) return { text: 'tooOld' };
  const asked = { resource: 'menu', action: 'undo', input: entry } as const;
  const sent = await sendWrite(desk, asked, ['undo', change], path).catch(asFailed);
  if ('kind' in sent) return { text: 'failed', undo: write };
  const { outcome } = sent;
  switch (outcome.kind) {
    case 'bulk':
      return outcome.applied ? { text: 'undone' } : { text: 'undoRefused' };
    case 'conflict':
      return { text: 'notUndone' };
    case 'invalid':
      return { text: 'undoRefused' };
    case 'gone':
    case 'missing':
      return { text: 'tooOld' };
    default:
      return { text: 'failed', undo: write };
  }
}

async function undo(desk: Desk, id: string, { said, undo: step }: PanelChange): Promise<Answer> {
  const { path } = said;
  if (!step) return redirectAnswer(desk.request, path);
  const message = await takeBack(desk, id, path, step.write);
  return redirectTelling(desk, message.undo ? [newFormId()] : ['undo', id], path, message);
}

/** `POST /admin/menu/undo`: takes a change back that no later change has touched. */
export async function undoChange(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const form = await readForm(request.context);
  const id = form.text('change');
  const message = await findMessage(desk, id);
  if (!message) return redirectAnswer(request, '/admin/menu');
  if (!isOwnForm(request, form.text('form_token'))) {
    return redirectTelling(desk, [newFormId()], message.said.path, { text: 'stale' });
  }
  return undo(desk, id, message);
}
