import { type Content, type Html, html } from '../../http/html.ts';
import { fieldError } from '../pages/fields.ts';

/** The id of the input of this name, which errors link to. */
export function inputId(name: string): string {
  return `f-${name.replaceAll('.', '-')}`;
}

export interface Input {
  name: string;
  label: Content;
  value: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** Stands behind the label. */
  mark?: Content;
  type?: 'text' | 'url' | 'email' | 'time' | 'date' | 'datetime-local' | 'color';
  inputmode?: 'decimal' | 'numeric' | 'text';
  lang?: string;
  /** Of a text of several lines. */
  rows?: number;
}

function describedBy(id: string, hint: string | undefined, error: string | undefined): string {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
}

function control(field: Input, id: string): Html {
  const { name, value, error, hint, lang = '', type = 'text', inputmode = 'text', rows } = field;
  const described = describedBy(id, hint, error);
  const invalid = error === undefined ? 'false' : 'true';
  if (rows !== undefined) {
    return html`<textarea id="${id}" name="${name}" rows="${rows}" lang="${lang}" aria-describedby="${described}" aria-invalid="${invalid}">
${value}</textarea>`;
  }
  return html`<input id="${id}" name="${name}" type="${type}" value="${value}" inputmode="${inputmode}" lang="${lang}" autocomplete="off" aria-describedby="${described}" aria-invalid="${invalid}">`;
}

/** A labelled field for one value. */
export function input(field: Input): Html {
  const { name, label, hint, mark = null, error } = field;
  const id = inputId(name);
  return html`<div class="field">
  <label for="${id}">${label}</label>${mark}
  ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  ${control(field, id)}
  ${fieldError(id, error)}
</div>`;
}

export interface Option {
  value: string;
  label: string;
}

/** The options of a `select`. */
export function optionList(options: readonly Option[], chosen: string | null): Html[] {
  return options.map(({ value, label }) => {
    const selected = value === chosen && html` selected`;
    return html`<option value="${value}"${selected}>${label}</option>`;
  });
}

/** @param form the id of its form where it does not stand in it */
export function select(
  field: Pick<Input, 'name' | 'label' | 'value' | 'error' | 'hint'>,
  options: readonly Option[],
  form?: string,
): Html {
  const { name, label, value, error, hint } = field;
  const ofForm = form !== undefined && html` form="${form}"`;
  const id = inputId(name);
  return html`<div class="field">
  <label for="${id}">${label}</label>
  ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  <select id="${id}" name="${name}"${ofForm} aria-describedby="${describedBy(id, hint, error)}" aria-invalid="${error === undefined ? 'false' : 'true'}">
  ${optionList(options, value)}
  </select>
  ${fieldError(id, error)}
</div>`;
}

/** A box or a button of a group, with its label beside it. */
export function choice(
  type: 'checkbox' | 'radio',
  {
    name,
    value,
    label,
    checked,
    hint,
  }: {
    name: string;
    value: string;
    label: Content;
    checked: boolean;
    hint?: string | undefined;
  },
): Html {
  const id = inputId(`${name}.${value}`);
  const mark = checked && html` checked`;
  return html`<div class="choice"><input type="${type}" id="${id}" name="${name}" value="${value}"${mark}><label for="${id}">${label}</label>
  ${hint !== undefined && html`<p class="hint">${hint}</p>`}</div>`;
}

/** Fields that belong together. */
export function group(
  name: string,
  legend: Content,
  content: Content,
  {
    error,
    hint,
    kind = '',
  }: { error?: string | undefined; hint?: string | undefined; kind?: string } = {},
): Html {
  const id = inputId(name);
  return html`<fieldset class="field ${kind}" id="${id}" aria-describedby="${describedBy(id, hint, error)}">
  <legend>${legend}</legend>
  ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  ${content}
  ${fieldError(id, error)}
</fieldset>`;
}
