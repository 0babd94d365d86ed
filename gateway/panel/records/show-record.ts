import type { Field } from '../../../db/schema/field.ts';
import { mediaPathOf } from '../../../db/schema/media-origin.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { isCollection } from '../../../db/schema/values/resource.ts';
import { type AdminRecord, findRecord } from '../../../db/sql/admin-records.ts';
import type { Answer } from '../../http/answer.ts';
import type { Desk } from '../desk.ts';
import type { Form } from '../form.ts';
import { draftOf, type FormDraft } from '../forms/draft.ts';
import { notice } from '../pages/fields.ts';
import { messagePage } from '../pages/message-page.ts';
import { recordName } from '../texts/choose.ts';
import { findPlanned, isPlanned, withPlanned } from '../writes/planned-values.ts';
import type { Editor, EditorState } from './editor.ts';
import { formPlace, recordPage } from './record-page.ts';
import { keepSent, readSent } from './sent-form.ts';

/** The id in the page's path: null for a new record and for settings or theme. */
export function idOf({ request }: Desk, { resource }: Editor): number | null | 'nothing' {
  if (!isCollection(resource) || request.context.param === 'new') return null;
  return parseRecordId(request.context.param) ?? 'nothing';
}

export function notFoundPage({ request, session, say }: Desk): Answer {
  const text = say('editor.gone');
  return messagePage(request, '404 Not Found', text, say('failures.nothing'), session, 'menu');
}

/** A new record as its form begins: in the section from which it was asked for. */
function newDraft({ request }: Desk): FormDraft {
  const named = new URLSearchParams(request.context.query).get('section') ?? '';
  const section = isPlanned(named) ? named : parseRecordId(named);
  return new Map([
    ['is_active', ['1']],
    ['sold_out_until', ['no']],
    ['allergens.declared', ['0']],
    ['category_id', section === null ? [] : [String(section)]],
  ]);
}

/** Fields that a copy does not take over: two dishes of one name or number are told apart. */
const NOT_COPIED = ['external_id', 'code', 'sold_out_until'];

const OF_A_SIZE = /^variants\.\d+\.(is_sold_out|sold_out_until)$/;

/** A new record that begins as another one; null when that is not there. */
async function copyDraft(desk: Desk, { record, resource }: Editor): Promise<FormDraft | null> {
  const id = parseRecordId(new URLSearchParams(desk.request.context.query).get('copy') ?? '');
  if (id === null || resource !== 'items') return null;
  const found = await findRecord(desk.db, resource, desk.tenantId, id);
  if (!found || found.deletedAt !== null) return null;
  const draft = new Map(draftOf(record, ownValues(record, found), formPlace(desk)));
  for (const name of NOT_COPIED) draft.delete(name);
  draft.delete('sold_out_until.at');
  for (const name of draft.keys()) if (OF_A_SIZE.test(name)) draft.delete(name);
  return draft.set('sold_out_until', ['no']);
}

/** The record as it is stored, where an address of a photo is shown in place of another one. */
function ownValues({ fields }: Editor['record'], { data, row }: AdminRecord) {
  const hidden = Object.entries<Field>(fields).filter(([, { options }]) => options.photo);
  const own = hidden.map(([name]) => [name, row[name]]);
  return { ...data, ...Object.fromEntries(own) };
}

/** The record of the page's path as it is now; null when it is not there. */
export async function findState(desk: Desk, editor: Editor): Promise<EditorState | null> {
  const { say, tenantId, language } = desk.request;
  const id = idOf(desk, editor);
  if (id === 'nothing') return null;
  if (id === null && editor.record.isUploaded) return null;
  const planned = new URLSearchParams(desk.request.context.query).get('planned');
  if (id === null && planned !== null) {
    const own = await findPlanned(desk, editor.record, planned);
    if (!own) return null;
    const draft = draftOf(editor.record, own, formPlace(desk));
    const title = recordName(own, language);
    return { id, title, draft, base: null, etag: '', planned };
  }
  if (id === null && isCollection(editor.resource)) {
    const title = say(editor.newTitle ?? editor.record.label);
    const draft = (await copyDraft(desk, editor)) ?? newDraft(desk);
    return { id, title, draft, base: null, etag: '' };
  }
  const found = await findRecord(desk.db, editor.resource, tenantId, id);
  if (!found || found.deletedAt !== null) return null;
  const own = await withPlanned(desk, editor.record, id, ownValues(editor.record, found));
  const draft = draftOf(editor.record, own, formPlace(desk));
  const title = isCollection(editor.resource)
    ? recordName(found.data, language)
    : say(editor.record.label);
  const { url } = found.data;
  const picture = editor.record.isUploaded ? { picture: mediaPathOf(String(url)) } : {};
  return { id, title, draft, base: draft, etag: found.etag, ...picture };
}

/** `GET` of a record's page. */
export async function showRecord(desk: Desk, editor: Editor): Promise<Answer> {
  const state = await findState(desk, editor);
  return state ? recordPage(desk, editor, state) : notFoundPage(desk);
}

/** A record's page with what somebody wrote before they had to sign in again. */
export async function showKept(desk: Desk, editor: Editor, form: Form): Promise<Answer> {
  const state = await findState(desk, editor);
  if (!state) return notFoundPage(desk);
  const said = notice('good', desk.say('editor.kept'));
  return recordPage(desk, editor, { ...keepSent(state, readSent(form)), notice: said });
}
