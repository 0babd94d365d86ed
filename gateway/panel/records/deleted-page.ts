import { constants } from '../../../db/runtime/constants.ts';
import { MENU_COLLECTIONS, records } from '../../../db/schema/registry.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { type ListedDeletion, listDeleted } from '../../../db/sql/listed-records.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { isFormId, newFormId, readForm } from '../form.ts';
import { onceFields } from '../pages/fields.ts';
import { momentText } from '../pages/moment.ts';
import { titledPage } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { nameIn, recordName } from '../texts/choose.ts';
import { type Message, messageNotice, redirectTelling } from '../writes/message.ts';
import { asFailed, type Saved, save } from '../writes/save.ts';

export const DELETED_PATH = '/admin/menu/deleted';

function row(desk: Desk, one: ListedDeletion): Html {
  const { request, say } = desk;
  const { resource, id, deleted_at } = one;
  const name = nameIn(one.name, request.language) || say('photos.numbered', { n: id });
  return html`<li class="section">
  <div class="what"><span class="title" dir="auto">${name}</span><p class="hint">${say(records[resource].label)} · ${momentText(desk, deleted_at)}</p></div>
  <button class="button" name="do" value="${resource}:${id}" aria-label="${say('lists.restoreOne', { name })}">${say('actions.restore')}</button>
</li>`;
}

/** `GET /admin/menu/deleted`: what can be brought back. */
export async function showDeleted(desk: Desk): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const found = await listDeleted(db, tenantId, constants.maxListedDishes);
  const title = say('lists.deleted');
  const content = html`<p class="intro">${say('lists.deletedHint', { days: constants.purgeDays })}</p>
${
  found.length === 0
    ? html`<p class="hint">${say('lists.nothingDeleted')}</p>`
    : html`<form class="sections named" method="post" action="${DELETED_PATH}">${onceFields(request)}
<ul>${found.map((one) => row(desk, one))}</ul></form>`
}`;
  return titledPage(desk, {
    state: { notice: await messageNotice(desk) },
    ...{ title, way: ['/admin/menu', say('editor.back')], content, place: 'menu' },
  });
}

function tell({ request }: Desk, saved: Saved): Message {
  switch (saved.kind) {
    case 'done':
      return {
        text: 'restored',
        values: { name: recordName(saved.record ?? {}, request.language) },
      };
    case 'invalid':
      return { text: 'notRestored', values: { error: Object.values(saved.errors)[0] ?? '' } };
    case 'missing':
      return { text: 'tooLate' };
    default:
      return { text: 'failed' };
  }
}

/** `POST /admin/menu/deleted`: brings a record back, with what was deleted with it. */
export async function restoreDeleted(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const form = await readForm(request.context);
  const formId = form.text('form_id');
  const answer = (key: readonly unknown[], message: Message) =>
    redirectTelling(desk, key, DELETED_PATH, message);
  if (!isOwnForm(request, form.text('form_token')) || !isFormId(formId)) {
    return answer([newFormId()], { text: 'stale' });
  }
  const [name, subject = ''] = form.text('do').split(':');
  const resource = MENU_COLLECTIONS.find((one) => one === name);
  const recordId = parseRecordId(subject);
  if (!resource || recordId === null) return answer([newFormId()], { text: 'tooLate' });
  const key = [formId, 'restore', resource, recordId];
  const write = { resource, action: 'restore', recordId, input: {}, ifMatch: null, key } as const;
  const message = tell(desk, await save(desk, write).catch(asFailed));
  return answer(message.text === 'failed' ? [newFormId()] : key, message);
}
