import { directionOf, LANGUAGE_NAMES, type Locale } from '../../../db/schema/values/locale.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { describedBy, fieldError, type Labelling, labelled } from '../pages/fields.ts';

/** The id of the input of this name, which errors link to. */
export function inputId(name: string): string {
  return `f-${name.replaceAll('.', '-')}`;
}

export interface TextInput extends Labelling {
  name: string;
  value: string;
  type?: 'text' | 'time' | 'date' | 'datetime-local' | 'color';
  inputmode?: 'decimal' | 'numeric' | 'text';
  lang?: Locale;
  /** It has the focus when the page is opened. */
  isFocused?: boolean;
  /** The id of the list of what it may hold. */
  list?: string;
  /** Of a text of several lines. */
  rows?: number;
  /** Which choice makes its value count: the script ticks it, and these others empty it. */
  rule?: { ticks?: string; clearedBy?: readonly string[] } | undefined;
}

/** For the script: names of controls as their ids. */
function ruleData({ rule }: TextInput): Content {
  if (rule === undefined) return null;
  const { ticks, clearedBy = [] } = rule;
  const ticked = ticks !== undefined && html` data-ticks="${inputId(ticks)}"`;
  return html`${ticked} data-cleared-by="${clearedBy.map(inputId).join(' ')}"`;
}

function control(field: TextInput, id: string): Html {
  const { name, value, error, lang, type = 'text', inputmode = 'text', rows, list } = field;
  const described = html`${describedBy(id, field)}${field.isFocused === true && html` autofocus`}`;
  const spoken = lang !== undefined && html` lang="${lang}" dir="${directionOf(lang)}"`;
  const invalid = error === undefined ? 'false' : 'true';
  if (rows !== undefined) {
    return html`<textarea id="${id}" name="${name}" rows="${rows}"${spoken}${described} aria-invalid="${invalid}">
${value}</textarea>`;
  }
  return html`<input id="${id}" name="${name}" type="${type}" value="${value}" inputmode="${inputmode}"${list !== undefined && html` list="${list}"`}${spoken} autocomplete="off"${described} aria-invalid="${invalid}"${ruleData(field)}>`;
}

/** A labelled field for one value. */
export function input(field: TextInput): Html {
  const id = inputId(field.name);
  return labelled(id, field, control(field, id));
}

export interface Option {
  value: string;
  label: string;
  /** The path of a small picture of it. */
  image?: string;
  /** A section of wines. */
  isWine?: boolean;
}

/** Languages, each by its own name. */
export function languageOptions(locales: readonly Locale[]): Option[] {
  return locales.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
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
  field: Labelling & { name: string; value: string },
  options: readonly Option[],
  form?: string,
): Html {
  const { name, value, error } = field;
  const ofForm = form !== undefined && html` form="${form}"`;
  const id = inputId(name);
  const list = html`<select id="${id}" name="${name}"${ofForm}${describedBy(id, field)} aria-invalid="${error === undefined ? 'false' : 'true'}">
  ${optionList(options, value)}
  </select>`;
  return labelled(id, field, list);
}

interface Choice extends Pick<TextInput, 'name' | 'value' | 'label' | 'hint' | 'error'> {
  checked: boolean;
}

/** A box or a button of a group, with its label beside it. */
export function choiceInput(type: 'checkbox' | 'radio', field: Choice): Html {
  const { name, value, label, checked, hint, error } = field;
  const id = inputId(`${name}.${value}`);
  const mark = checked && html` checked`;
  const described = error !== undefined && html`${describedBy(id, { error })} aria-invalid="true"`;
  return html`<div class="choice"><input type="${type}" id="${id}" name="${name}" value="${value}"${mark}${described}><label for="${id}">${label}</label>
  ${hint !== undefined && html`<p class="hint">${hint}</p>`}${fieldError(id, error)}</div>`;
}

/** A box for each option; several can be checked. @param kind a class for their list */
export function choiceBoxes(
  name: string,
  options: readonly Option[],
  chosen: readonly string[] = [],
  kind = 'choices',
): Html {
  const boxes = options.map(({ value, label }) =>
    choiceInput('checkbox', { name, value, label, checked: chosen.includes(value) }),
  );
  return html`<div class="${kind}">${boxes}</div>`;
}

/** Fields that belong together. */
export function group(
  name: string,
  legend: Content,
  content: Content,
  { error, hint, kind = '' }: Pick<TextInput, 'error' | 'hint'> & { kind?: string },
): Html {
  const id = inputId(name);
  return html`<fieldset class="field ${kind}" id="${id}"${describedBy(id, { hint, error })}>
  <legend>${legend}</legend>
  ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  ${content}
  ${fieldError(id, error)}
</fieldset>`;
}
