import type * as v from 'valibot';
import {
  type ActionContext,
  type Done,
  perform,
  type RestaurantAction,
} from '../../../db/actions/action.ts';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import { checkInput, type InputSchema } from '../../../db/schema/validation/check-input.ts';
import type { FieldErrors } from '../../../db/schema/validation/rule.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Say, Values } from '../../../db/texts/say.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import type { Desk } from '../desk.ts';
import { type Form, isFormId, readForm } from '../form.ts';
import {
  describedBy,
  fieldError,
  labelled,
  onceFields,
  refusal,
  staleForm,
} from '../pages/fields.ts';
import type { PageState } from '../pages/page.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { choiceBoxes, choiceInput, group, input, type Option, select } from './inputs.ts';

// Forms that ask for an action of db/actions. A form is declared once. Its fields stand on the page and
// come back with their values and errors.

interface Labelled {
  /** As the schema of the action calls it. */
  name: string;
  label: TextKey;
  hint?: TextKey;
  /** Values for the hint. */
  hintValues?: Values;
}

/** A field of a form, by its kind. */
export type FormField = Labelled &
  (
    | TextKind
    | ChoiceKind
    /** A number, a moment on the restaurant's clocks, or a box to tick. */
    | { kind: 'number' | 'moment' | 'flag' }
    /** One value of a list. */
    | { kind: 'list'; options: readonly (readonly [value: string, text: TextKey])[] }
    /** Some of the records or languages that the restaurant has. */
    | { kind: 'boxes'; options: readonly Option[] }
    /** Fields that belong together. */
    | { kind: 'group'; fields: readonly FormField[] }
  );

/** A line of text; a password never comes back. */
interface TextKind {
  kind: 'text' | 'email' | 'password';
  /** By which browsers fill it in; by default they do not. */
  autocomplete?: string;
}

/** One or some of a few values. */
interface ChoiceKind {
  kind: 'one' | 'some';
  /** The ids of the boxes begin with it. */
  item: string;
  options: readonly string[];
  /** The texts beside a box. */
  describe(say: Say, value: string): { label: string; hint: Content };
}

/** The values of a form by their fields, as they were sent. */
type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** A form as a page shows it again. */
export interface FormState extends PageState {
  values?: FormValues;
  errors?: Readonly<Record<string, string>>;
}

/** A page's own texts for errors. */
export interface FormTexts {
  /** By the field and its rule, such as `email.unique`, or by the field. */
  texts?: Readonly<Record<string, TextKey>>;
  /** Values for these, beside the parameters of the rule. */
  textValues?: Readonly<Record<string, string | number>>;
}

/** A form that asks for an action. */
export interface ActionForm<S extends InputSchema, R> extends FormTexts {
  action: RestaurantAction<S, R>;
  path: string;
  fields: readonly FormField[];
  submit: TextKey;
  /** Changes what was sent before it is checked, and before it is shown again. */
  read?(values: FormValues): FormValues;
  /** Further input of the action. */
  more?(desk: Desk): Readonly<Record<string, unknown>>;
  page(desk: Desk, state: FormState): Promise<Answer>;
  /** Answers the form whose action is done. */
  done(desk: Desk, done: Done<R>): Promise<Answer> | Answer;
}

const textOf = (values: FormValues, name: string) => {
  const value = values[name] ?? '';
  return typeof value === 'string' ? value : (value[0] ?? '');
};

function choices(
  say: Say,
  field: Labelled & ChoiceKind,
  { values = {}, errors = {} }: FormState,
): Html {
  const { name, kind, item, hint } = field;
  const chosen = [values[name] ?? []].flat();
  const error = errors[name];
  const boxes = field.options.map((value) => {
    const id = `${item}-${value.replace(/[:.]/g, '-')}`;
    const { label, hint: said } = field.describe(say, value);
    const checked = chosen.includes(value) && html` checked`;
    return html`<div class="choice">
  <input type="${kind === 'one' ? 'radio' : 'checkbox'}" name="${name}" value="${value}" id="${id}"${said !== null && html` aria-describedby="${id}-hint"`}${checked}>
  <label for="${id}">${label}</label>
  ${said !== null && html`<p class="hint" id="${id}-hint">${said}</p>`}
</div>`;
  });
  const text = hint && say(hint);
  return html`<fieldset class="${error === undefined ? 'scopes' : 'scopes invalid'}"${describedBy(name, { hint: text, error })}>
<legend>${say(field.label)}</legend>
${text !== undefined && html`<p class="hint" id="${name}-hint">${text}</p>`}
${boxes}${fieldError(name, error)}</fieldset>`;
}

function control(say: Say, field: FormField, state: FormState): Html {
  const { name } = field;
  const { values = {}, errors = {} } = state;
  const value = textOf(values, name);
  const texts = {
    ...{ name, label: say(field.label), error: errors[name] },
    hint: field.hint && say(field.hint, field.hintValues),
  };
  switch (field.kind) {
    case 'one':
    case 'some':
      return choices(say, field, state);
    case 'number':
      return input({ ...texts, value, inputmode: 'numeric' });
    case 'moment':
      return input({ ...texts, value, type: 'datetime-local' });
    case 'list': {
      const options = field.options.map(([one, text]) => ({ value: one, label: say(text) }));
      return select({ ...texts, value }, options);
    }
    case 'flag':
      return choiceInput('checkbox', { ...texts, value: '1', checked: value === '1' });
    case 'boxes': {
      const boxes = choiceBoxes(name, field.options, [values[name] ?? []].flat());
      return group(name, texts.label, boxes, texts);
    }
    case 'group':
      return group(name, texts.label, formFields(say, field.fields, state), texts);
    default: {
      const { kind: type, autocomplete = 'off' } = field;
      const shown = type === 'password' ? '' : value;
      const line = html`<input id="${name}" name="${name}" type="${type}" value="${shown}" autocomplete="${autocomplete}" autocapitalize="${type === 'text' ? 'sentences' : 'none'}" spellcheck="false" required${describedBy(name, texts)} aria-invalid="${String(name in errors)}">`;
      return labelled(name, texts, line);
    }
  }
}

export function formFields(say: Say, fields: readonly FormField[], state: FormState): Content {
  return fields.map((field) => control(say, field, state));
}

/** The form on its page, which does its action once however often it is sent. */
export function actionFormOf<S extends InputSchema, R>(
  request: PanelRequest,
  { path, fields, submit }: ActionForm<S, R>,
  state: FormState,
): Html {
  const { say } = request;
  return html`<form method="post" action="${path}" novalidate>
${onceFields(request)}
${formFields(say, fields, state)}
<button class="main wide">${say(submit)}</button></form>`;
}

/** The values of fields as they were sent; a list that was not sent says nothing. */
export function readFormFields(form: Form, fields: readonly FormField[]): FormValues {
  const read = fields.flatMap((field): (readonly [string, string | readonly string[]])[] => {
    const { name, kind } = field;
    if (kind === 'group') return Object.entries(readFormFields(form, field.fields));
    if (kind === 'some' || kind === 'boxes') return [[name, form.list(name)]];
    const text = form.text(name);
    if (kind === 'flag') return [[name, text || '0']];
    const isSent = kind !== 'list' || text !== '' || field.options.some(([one]) => one === '');
    return isSent ? [[name, text]] : [];
  });
  return Object.fromEntries(read);
}

/** The values of a record as its form has them. */
export function formValues(record: object): FormValues {
  const textIn = (value: unknown) =>
    typeof value === 'boolean' ? String(Number(value)) : String(value ?? '');
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      return [name, Array.isArray(value) ? value.map(textIn) : textIn(value)];
    }),
  );
}

/** The values of a form as its schema makes them. @throws InvalidError */
export function formInput<S extends InputSchema>(
  schema: S,
  values: Readonly<Record<string, unknown>>,
): v.InferOutput<S> {
  const checked = checkInput(schema, values);
  if ('errors' in checked) throw new InvalidError(checked.errors);
  return checked.input;
}

/** Does what a form asks for, and shows it again with its errors where it breaks rules. */
export async function answerForm<S extends InputSchema, R>(
  desk: Desk,
  form: ActionForm<S, R>,
  given?: Form,
): Promise<Answer> {
  const { request, say } = desk;
  const sent = given ?? (await readForm(request.context));
  const read = readFormFields(sent, form.fields);
  const values = form.read?.(read) ?? read;
  const formId = sent.text('form_id');
  if (!isOwnForm(request, sent.text('form_token')) || !isFormId(formId)) {
    return form.page(desk, { ...staleForm(request), values });
  }
  try {
    const { action } = form;
    const input = formInput(action.input, { ...values, ...form.more?.(desk) });
    return await form.done(desk, await perform(action, deskContext(desk, formId), input));
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const refused = refusedForm(say, error.errors, form);
    return form.page(desk, { ...refused, values });
  }
}

/** The state of a form that breaks rules: a text beside each field, and a sentence above. */
export function refusedForm(
  say: Say,
  broken: FieldErrors,
  { texts = {}, textValues = {} }: FormTexts,
) {
  const errors: Record<string, string> = {};
  for (const [path, [one]] of Object.entries(broken)) {
    const [field = path] = path.split('.');
    if (!one) continue;
    const text = texts[`${field}.${one.rule}`] ?? texts[field];
    errors[field] ??= text ? say(text, { ...textValues, ...(one as object) }) : sayBroken(say, one);
  }
  const [only = '', ...others] = new Set(Object.values(errors));
  return { ...refusal(others.length === 0 ? only : say('failures.fields')), errors };
}

/**
 * The context of an action that somebody at this desk asks for.
 *
 * @param formId names a form that does its action once; without it the action is done each time
 */
export function deskContext(desk: Desk, formId = ''): ActionContext {
  const { db, request, session, domain, now, tenantId } = desk;
  const { slug } = request.context.restaurant.tenant;
  return {
    ...{ database: db, tenantId, slug, domain, now: now() },
    actor: { kind: 'user', name: session.email },
    sessionHash: hashCookie(request.cookie),
    once: isFormId(formId) ? { key: 'form', credential: formId, request: '' } : null,
  };
}
