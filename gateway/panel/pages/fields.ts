import { type Content, type Html, html } from '../../http/html.ts';
import { formToken } from '../browser-cookie.ts';
import type { PanelRequest } from '../panel-request.ts';

/** Hidden fields of every form, by which `isOwnForm` recognises it. */
export function hiddenFields(request: PanelRequest): Html {
  return html`<input type="hidden" name="form_token" value="${formToken(request.cookie)}">`;
}

/** The message that belongs to a field, which names it by `aria-describedby`. */
export function fieldError(id: string, message: string | undefined): Content {
  if (message === undefined) return null;
  return html`<p class="field-error" id="${id}-error">${message}</p>`;
}

export interface TextField {
  id: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  value?: string;
  hint?: string;
  error?: string | undefined;
}

/** A labelled text field with its hint and its error, both read out with it. */
export function textField(field: TextField): Html {
  const { id, label, type, autocomplete, value = '', hint, error } = field;
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`];
  return html`<div class="field">
  <label for="${id}">${label}</label>
  ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  <input id="${id}" name="${id}" type="${type}" value="${value}" autocomplete="${autocomplete}" autocapitalize="${type === 'text' ? 'sentences' : 'none'}" spellcheck="false" required aria-describedby="${described.filter(Boolean).join(' ')}" aria-invalid="${error === undefined ? 'false' : 'true'}">
  ${fieldError(id, error)}
</div>`;
}

/** A message above the page's content; the focus goes to it, so that it is read out first. */
export function notice(kind: 'good' | 'bad', text: string, more: Content = null): Html {
  const role = kind === 'bad' ? 'alert' : 'status';
  return html`<div class="notice ${kind}" role="${role}" tabindex="-1" autofocus><p>${text}</p>${more}</div>`;
}
