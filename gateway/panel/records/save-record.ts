import { constants } from '../../../db/runtime/constants.ts';
import { entriesOf } from '../../../db/runtime/keys.ts';
import { isCollection } from '../../../db/schema/values/resource.ts';
import type { Answer } from '../../http/answer.ts';
import { releasePath } from '../chosen-release.ts';
import type { Desk } from '../desk.ts';
import { type Form, filesType, formOf, isFormId, newFormId, readForm, readParts } from '../form.ts';
import { contradictions } from '../forms/contradictions.ts';
import { draftOf, editableFields, type FormDraft } from '../forms/draft.ts';
import { changedFields, readFields } from '../forms/read-draft.ts';
import { notice, refusal } from '../pages/fields.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { MAX_PHOTOS_PER_FORM, sendPhotos } from '../photos/photos-page.ts';
import { recordName } from '../texts/choose.ts';
import { findMessage, messageId, messagePath, redirectTelling } from '../writes/message.ts';
import { asFailed, type Saved, save, shapeErrors } from '../writes/save.ts';
import { sayNotDone } from '../writes/save-many.ts';
import { mergeDrafts } from './conflict.ts';
import {
  type Editor,
  type EditorState,
  editorPath,
  findNamedDishes,
  listPath,
  newPath,
} from './editor.ts';
import { readyTheme } from './ready-themes.ts';
import { formPlace, recordPage } from './record-page.ts';
import { keepSent, readSent, type Sent } from './sent-form.ts';
import { findState, notFoundPage } from './show-record.ts';

/**
 * Uploads the photos of a record's form and shows the form again: the first is chosen, the others can be,
 * and nothing is saved.
 */
async function uploadInForm(desk: Desk, editor: Editor): Promise<Answer> {
  const { request, say } = desk;
  const parts = { fields: constants.maxFormFields, files: MAX_PHOTOS_PER_FORM };
  const { values, files } = await readParts(request.context, parts);
  const form = formOf(values);
  const state = await findState(desk, editor);
  if (!state) return notFoundPage(desk);
  const kept = keepSent(state, readSent(form));
  if (!isOwnForm(request, form.text('form_token'))) {
    return recordPage(desk, editor, { ...kept, ...refusal(say('editor.stale'), '403 Forbidden') });
  }
  const field = form.text('do').replace(/^upload-/, '');
  const given = files.filter((one) => one.field === `${field}.file` && one.bytes.length > 0);
  const sent = await sendPhotos(desk, given);
  const made = sent.flatMap(({ id }) => (id === null ? [] : [String(id)]));
  const draft = made[0] === undefined ? kept.draft : new Map(kept.draft).set(field, [made[0]]);
  const troubles = sent.flatMap((one) => (one.id === null ? [one.trouble] : []));
  if (given.length === 0) troubles.push(say('rules.required'));
  if (troubles.length > 0) {
    const errors = { [field]: troubles.join(' ') };
    return recordPage(desk, editor, {
      ...kept,
      draft,
      status: '422 Unprocessable Content',
      errors,
    });
  }
  const message = notice('good', say('photos.uploaded', { n: made.length }));
  return recordPage(desk, editor, { ...kept, draft, notice: message });
}

/** The button of a wine's form that adds the winery whose name was typed. */
const ADD_WINERY = 'add-winery';
const NEW_WINERY = 'winery_id.new';

/** Adds a winery and shows the wine's form again: the winery is chosen, the wine is not saved yet. */
async function addWinery(
  desk: Desk,
  editor: Editor,
  { state, sent, form }: { state: EditorState; sent: Sent; form: Form },
): Promise<Answer> {
  const { say } = desk;
  const kept = keepSent(state, sent);
  const name = form.text(NEW_WINERY);
  const saved = await save(desk, {
    ...{ resource: 'wineries', action: 'create', recordId: null, ifMatch: null },
    input: { name },
    key: [sent.formId, ADD_WINERY, name],
  }).catch(asFailed);
  switch (saved.kind) {
    case 'done': {
      const draft = new Map(kept.draft).set('winery_id', [String(saved.recordId)]);
      draft.delete(NEW_WINERY);
      const message = notice('good', say('messages.added', { name }));
      return recordPage(desk, editor, { ...kept, draft, notice: message });
    }
    case 'invalid': {
      const errors = { [NEW_WINERY]: saved.errors.name ?? say('rules.required') };
      return recordPage(desk, editor, { ...kept, status: '422 Unprocessable Content', errors });
    }
    default:
      return recordPage(desk, editor, { ...kept, ...sayNotDone(desk, saved) });
  }
}

/** The page for what could not be saved; it keeps what was typed. */
async function refuse(
  desk: Desk,
  editor: Editor,
  state: EditorState,
  sent: Sent,
  saved: Exclude<Saved, { kind: 'done' }>,
): Promise<Answer> {
  const { say } = desk;
  const kept = keepSent(state, sent);
  if (saved.kind === 'invalid') {
    const status = '422 Unprocessable Content';
    return recordPage(desk, editor, { ...kept, status, errors: saved.errors });
  }
  if (saved.kind === 'outdated') {
    const place = formPlace(desk);
    const current = draftOf(editor.record, saved.record, place);
    const merged = mergeDrafts(say, editor.record, { ...sent, current }, place);
    return recordPage(desk, editor, {
      ...{ ...kept, ...merged, base: current, etag: saved.etag },
      ...refusal(say('editor.conflict'), '409 Conflict'),
    });
  }
  return recordPage(desk, editor, { ...kept, ...sayNotDone(desk, saved) });
}

/** Where a new record leads: to the form for another one, into the new section, or to its list. */
function pathAfterNew(editor: Editor, list: string, sent: Sent, id: number | null) {
  const { isFollowed, nextSection, own } = sent;
  if (isFollowed) return newPath(editor, nextSection ?? own.get('category_id')?.[0]);
  return editor.resource === 'categories' && id !== null ? listPath(editor, id) : list;
}

async function change(desk: Desk, editor: Editor, state: EditorState, given: Sent) {
  const { draft: own, errors: unknown } = await findNamedDishes(desk, editor, given.own);
  const sent = { ...given, own };
  const { record, resource } = editor;
  const place = formPlace(desk);
  const { id } = state;
  const isNew = state.base === null;
  const { formId, base, etag } = sent;
  const wrong = { ...contradictions(desk.say, resource, sent, place), ...unknown };
  const changed = isNew ? editableFields(record) : changedFields(record, base, own, place);
  const path = editorPath(editor, id);
  const input = readFields(changed, own, place);
  const action = isNew ? 'create' : 'change';
  if (Object.keys(wrong).length > 0) {
    const errors = { ...shapeErrors(desk, { resource, action, input }), ...wrong };
    return refuse(desk, editor, state, sent, { kind: 'invalid', errors });
  }
  if (desk.chosen && state.planned !== undefined) desk.chosen.edited = state.planned;
  const key = [formId, input, etag];
  if (changed.length === 0) return redirectTelling(desk, key, path, { text: 'unchanged' });
  const list = listPath(editor, own.get('category_id')?.[0]);
  const saved = await save(desk, {
    ...{ resource, action, recordId: id, input },
    ifMatch: isNew ? null : etag,
    key,
    next: isNew ? pathAfterNew(editor, list, sent, null) : path,
  }).catch(asFailed);
  if (saved.kind !== 'done') return refuse(desk, editor, state, sent, saved);
  const name = isCollection(resource)
    ? recordName(saved.record ?? {}, place.language)
    : desk.say(record.label);
  if (desk.chosen && state.planned !== undefined) {
    const back = releasePath(desk.chosen.release);
    return redirectTelling(desk, key, back, { text: 'saved', values: { name } });
  }
  const text = isNew ? (editor.list ? 'added' : 'created') : 'saved';
  const next = isNew ? pathAfterNew(editor, list, sent, saved.recordId) : path;
  return redirectTelling(desk, key, next, { text, values: { name }, undo: saved.write });
}

async function remove(
  desk: Desk,
  editor: Editor,
  { id, title, draft }: EditorState,
  formId: string,
): Promise<Answer> {
  const { resource } = editor;
  const key = [formId, 'delete'];
  const values = { name: title };
  const list = listPath(editor, draft.get('category_id')?.[0]);
  const saved = await save(desk, {
    ...{ resource, action: 'delete', recordId: id, input: {}, ifMatch: null },
    key,
    next: list,
  });
  if (saved.kind === 'missing') return redirectTelling(desk, key, list, { text: 'gone', values });
  if (saved.kind !== 'done') return redirectTelling(desk, [newFormId()], list, { text: 'failed' });
  return redirectTelling(desk, key, list, {
    text: editor.list ? 'removed' : 'deleted',
    values,
    undo: saved.write,
  });
}

function withTheme(draft: FormDraft, ready: Readonly<Record<string, string>>): FormDraft {
  return new Map([...draft, ...entriesOf(ready).map(([name, value]) => [name, [value]] as const)]);
}

/** There is no such record; perhaps this very form has deleted it. */
async function answerGone(desk: Desk, formId: string): Promise<Answer> {
  const id = messageId([formId, 'delete']);
  const message = await findMessage(desk, id);
  return message
    ? redirectAnswer(desk.request, messagePath(message.said.path, id))
    : notFoundPage(desk);
}

/** `POST` of a record's page. */
export async function saveRecord(desk: Desk, editor: Editor): Promise<Answer> {
  const { request, say } = desk;
  if (filesType(request.context) !== null) return uploadInForm(desk, editor);
  const form = await readForm(request.context, constants.maxRecordFormBytes);
  const state = await findState(desk, editor);
  const sent = readSent(form);
  if (!state) return answerGone(desk, sent.formId);
  if (!isOwnForm(request, form.text('form_token')) || !isFormId(sent.formId)) {
    const kept = form.text('do') === 'delete' ? state : keepSent(state, sent);
    const refused = refusal(say('editor.stale'), '403 Forbidden');
    return recordPage(desk, editor, { ...kept, ...refused });
  }
  const ready = editor.resource === 'theme' && readyTheme(form.text('do'));
  if (ready) {
    // In place of the present theme, with what the form does not show left as it is.
    const own = withTheme(state.draft, ready);
    const base = state.base ?? sent.base;
    return change(desk, editor, state, { ...sent, own, base, etag: state.etag });
  }
  if (form.text('do') === 'delete') return remove(desk, editor, state, sent.formId);
  if (form.text('do') === ADD_WINERY && editor.resource === 'items') {
    return addWinery(desk, editor, { state, sent, form });
  }
  return change(desk, editor, state, sent);
}
