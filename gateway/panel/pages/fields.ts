import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { newFormId } from '../form.ts';
import { formToken, type PanelRequest } from '../panel-request.ts';

/** Hidden fields of every form, by which `isOwnForm` recognises it. */
export function hiddenFields(request: PanelRequest): Html {
  return html`<input type="hidden" name="form_token" value="${formToken(request.cookie)}">`;
}

/** The name of a form that is done once, however often it is sent. */
export function onceField(formId = newFormId()): Html {
  return html`<input type="hidden" name="form_id" value="${formId}">`;
}

/** The fields that a form which is done once has besides its own. */
export function onceFields(request: PanelRequest): Html {
  return html`${hiddenFields(request)}${onceField()}`;
}

/**
 * The button that the Enter key presses: browsers take a form's first one. It stands before the other
 * buttons of a form, where its own would come after them, and is neither seen nor read out.
 */
export function enterButton(value: string, text: string): Html {
  return html`<button class="hidden" name="do" value="${value}" tabindex="-1" aria-hidden="true">${text}</button>`;
}

/**
 * A form for one action of a page.
 *
 * @param what the action, as the field `do`
 * @param inner its fields and its button
 * @param isUnchecked whether mistakes are told by the page that answers alone, not by the browser
 */
export function actionForm(
  request: PanelRequest,
  path: string,
  what: string,
  inner: Content,
  isUnchecked = false,
): Html {
  return html`<form method="post" action="${path}"${isUnchecked && html` novalidate`}>
${hiddenFields(request)}<input type="hidden" name="do" value="${what}">${inner}</form>`;
}

/** The message that belongs to a field, which names it by `aria-describedby`. */
export function fieldError(id: string, message: string | undefined): Content {
  if (message === undefined) return null;
  return html`<p class="field-error" id="${id}-error">${message}</p>`;
}

/** The texts around a control. */
export interface Labelling {
  label: Content;
  /** Stands behind the label. */
  mark?: Content;
  hint?: string | undefined;
  error?: string | undefined;
}

/** The attribute that names the hint and the error of a control, where it has one of them. */
export function describedBy(id: string, { hint, error }: Pick<Labelling, 'hint' | 'error'>) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return ids !== '' && html` aria-describedby="${ids}"`;
}

/** A control with its label, its hint and its error. */
export function labelled(id: string, texts: Labelling, control: Html): Html {
  const { label, mark = null, hint, error } = texts;
  return html`<div class="field">
  <label for="${id}">${label}</label>${mark}
  ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  ${control}
  ${fieldError(id, error)}
</div>`;
}

/** A button that shows the passwords of a form; it needs script. */
export function showPasswords(say: Say): Html {
  return html`<p><button type="button" class="button" data-passwords aria-pressed="false" hidden>${say('signIn.showPassword')}</button></p>`;
}

/** A message above the page's content; the focus goes to it, so that it is read out first. */
export function notice(kind: 'good' | 'bad', text: string, more: Content = null, isFocused = true) {
  const role = kind === 'bad' ? 'alert' : 'status';
  return html`<div class="notice ${kind}" role="${role}" tabindex="-1"${isFocused && html` autofocus`}><p>${text}</p>${more}</div>`;
}

/** A text to copy: in a field that selects it, beside a button that needs script. */
export function copyField(say: Say, id: string, label: string, text: string): Html {
  return html`<div class="reveal-link"><input id="${id}" type="text" readonly value="${text}" aria-label="${label}" translate="no">
<button type="button" class="button" data-copy="${id}" data-copied="${say('reveal.copied')}" data-not-copied="${say('reveal.notCopied')}" hidden>${say('reveal.copy')}</button><span role="status"></span></div>`;
}

/** How a page that refuses a form differs from an untouched one. */
export interface RefusedForm {
  status: string;
  notice: Html;
  headers?: Record<string, string>;
}

/** Says when to try again, in whole seconds from now; `wait` is in ms. */
export function retryAfter(wait: number): Record<string, string> {
  return { 'Retry-After': String(Math.ceil(wait / 1_000)) };
}

/** Refuses a form that breaks rules, or for the reason that `status` gives. @param wait in ms */
export function refusal(text: string, status = '422 Unprocessable Content', wait = 0): RefusedForm {
  return { status, notice: notice('bad', text), ...(wait > 0 && { headers: retryAfter(wait) }) };
}

/** Refuses a form of a restaurant that has sent too many in a minute. @param wait in ms */
export function refuseTooMany({ say }: PanelRequest, wait: number): RefusedForm {
  const text = say('failures.tooManyPages', { seconds: Math.ceil(wait / 1_000) });
  return refusal(text, '429 Too Many Requests');
}

/** Refuses a form that is not this browser's own. */
export function staleForm({ say }: PanelRequest): RefusedForm {
  return refusal(say('failures.stale'), '403 Forbidden');
}

/** Word of what was just done, which the address of the page says; nothing for other words. */
export function doneNotice(
  { context, say }: PanelRequest,
  texts: Readonly<Record<string, TextKey>>,
): Content {
  const done = new URLSearchParams(context.query).get('done') ?? '';
  const text = Object.hasOwn(texts, done) ? texts[done] : undefined;
  return text !== undefined && notice('good', say(text));
}
