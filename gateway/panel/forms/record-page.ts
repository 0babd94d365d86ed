import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { doneNotice, staleForm } from '../pages/fields.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import {
  type FormField,
  type FormState,
  type FormTexts,
  readFormFields,
  refusedForm,
} from './action-form.ts';

/** Does what a form asks for: gives the answer, or a word that the address of the page says. */
type Act<T> = (desk: Desk, record: T, form: Form) => Promise<Answer | string>;

/** A page about a record, or a list of them, with forms that name by `do` what they ask for. */
export interface RecordPage<T> extends FormTexts {
  find(desk: Desk): Promise<T | null>;
  /** The page for a record that is not there. */
  gone(desk: Desk): Answer;
  page(desk: Desk, record: T, state: FormState): Promise<Answer>;
  /** Those of the form that saves the record: they keep what was typed when it is refused. */
  fields?(desk: Desk, record: T): readonly FormField[] | Promise<readonly FormField[]>;
  acts: Readonly<Record<string, Act<T>>>;
  /** Answers a form that is none of these: of a new record. */
  create?(desk: Desk, form: Form): Promise<Answer>;
  /** The texts for the words of acts. */
  done?: Readonly<Record<string, TextKey>>;
}

/** Shows the page, with word of what was just done. */
export async function showRecordPage<T>(desk: Desk, page: RecordPage<T>): Promise<Answer> {
  const record = await page.find(desk);
  if (!record) return page.gone(desk);
  return page.page(desk, record, page.done ? { notice: doneNotice(desk.request, page.done) } : {});
}

/** Does what a form of the page asks for, and shows the page again where that breaks rules. */
export async function answerRecordPage<T>(desk: Desk, page: RecordPage<T>): Promise<Answer> {
  const { request, say } = desk;
  const form = await readForm(request.context);
  const [word = ''] = form.text('do').split(':');
  const act = Object.hasOwn(page.acts, word) ? page.acts[word] : undefined;
  if (!act && page.create) return page.create(desk, form);
  const record = await page.find(desk);
  if (!record) return page.gone(desk);
  if (!isOwnForm(request, form.text('form_token'))) {
    return page.page(desk, record, staleForm(request));
  }
  try {
    if (!act) return await page.page(desk, record, {});
    const done = await act(desk, record, form);
    return typeof done === 'string'
      ? redirectAnswer(request, `${request.context.path}?done=${done}`)
      : done;
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const fields = word === 'save' ? await page.fields?.(desk, record) : undefined;
    const values = fields && { values: readFormFields(form, fields) };
    return page.page(desk, record, { ...refusedForm(say, error.errors, page), ...values });
  }
}
