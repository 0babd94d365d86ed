import { listNamed, type NamedRecord } from '../../../db/sql/listed-records.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { isFormId, newFormId, readForm } from '../form.ts';
import { onceFields } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { nameIn } from '../texts/choose.ts';
import { type Message, messageNotice, redirectTelling } from '../writes/message.ts';
import {
  moveButtons,
  moveOperations,
  readMove,
  readSections,
  sectionName,
} from '../writes/move.ts';
import { saveMany } from '../writes/save-many.ts';
import { type Editor, editorPath } from './editor.ts';

/** An editor of records that have a list of their own. */
type ListedEditor = Editor & { list: NonNullable<Editor['list']> };

export function isListed(editor: Editor): editor is ListedEditor {
  return editor.list !== undefined;
}

function row(desk: Desk, editor: Editor, one: NamedRecord, siblings: readonly NamedRecord[]): Html {
  const { say, language } = desk.request;
  const name = nameIn(one.name, language);
  const place = { index: siblings.indexOf(one), count: siblings.length };
  return html`<li class="section" data-id="${one.id}">
  <div class="titled"><a href="${editorPath(editor, one.id)}" dir="auto">${name}</a>${!one.is_active && html`<span class="tag">${say('menu.hidden')}</span>`}</div>
  <span class="count" title="${say('menu.dishes', { n: one.dishes })}">${one.dishes}</span>
  ${editor.resource === 'types' && moveButtons(say, 'type', { id: one.id, name, ...place })}
</li>`;
}

function rows(desk: Desk, editor: Editor, found: readonly NamedRecord[]): Html {
  const items = found.map((one) => row(desk, editor, one, found));
  return editor.resource === 'types'
    ? html`<ul data-sortable="type">${items}</ul>`
    : html`<ul>${items}</ul>`;
}

/** Types by their sections, which are in the order of the menu. */
async function bySection(desk: Desk, editor: Editor, found: readonly NamedRecord[]) {
  const sections = await readSections(desk);
  return sections.flatMap((placed) => {
    const own = found.filter(({ category_id }) => category_id === placed.section.id);
    if (own.length === 0) return [];
    return html`<h2 dir="auto">${sectionName(desk, placed)}</h2>${rows(desk, editor, own)}`;
  });
}

/** `GET` of a list of records that dishes name. */
export async function showList(desk: Desk, editor: ListedEditor): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const { path, resource, title: name, hint } = editor.list;
  const found = await listNamed(db, resource, tenantId);
  const list =
    resource === 'types' ? await bySection(desk, editor, found) : rows(desk, editor, found);
  const content = html`<p class="intro">${say(hint)}</p>
<p class="row"><a class="button main" href="${editorPath(editor, null)}">+ ${say(editor.newTitle ?? name)}</a></p>
${
  found.length === 0
    ? html`<p class="hint">${say('lists.empty')}</p>`
    : html`<form class="sections named" method="post" action="${path}">${onceFields(request)}
${list}</form>`
}`;
  return titledPage(desk, {
    state: { notice: await messageNotice(desk) },
    ...{ title: say(name), way: ['/admin/menu', say('editor.back')], content, place: 'menu' },
  });
}

async function move(desk: Desk, button: string, key: readonly unknown[]): Promise<Message> {
  const asked = readMove(button);
  if (asked?.resource !== 'types') return { text: 'unchanged' };
  const moved = await moveOperations(desk, asked);
  if (moved === 'gone' || moved === 'outdated') return { text: 'orderChanged' };
  const { name, operations } = moved;
  if (operations.length === 0) return { text: 'unchanged' };
  const saved = await saveMany(desk, operations, key);
  switch (saved.kind) {
    case 'done':
      return { text: 'moved', values: { name }, undo: saved.write };
    case 'refused':
      return { text: 'orderChanged' };
    default:
      return { text: 'failed' };
  }
}

/** `POST` of a list: puts a record in another place. */
export async function changeList(desk: Desk, { list }: ListedEditor): Promise<Answer> {
  const { request } = desk;
  const form = await readForm(request.context);
  const formId = form.text('form_id');
  if (!isOwnForm(request, form.text('form_token')) || !isFormId(formId)) {
    return redirectTelling(desk, [newFormId()], list.path, { text: 'stale' });
  }
  const key = [formId, form.text('do')];
  const message = await move(desk, form.text('do'), key);
  const isOver = message.text !== 'failed' && message.text !== 'orderChanged';
  return redirectTelling(desk, isOver ? key : [newFormId()], list.path, message);
}
