import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { moveButtons } from '../order/move-buttons.ts';
import { type PlacedSection, sectionName } from '../order/section-tree.ts';
import { hiddenFields } from '../pages/fields.ts';
import { DELETED_PATH } from '../records/deleted-page.ts';
import { EDITORS } from '../records/editor.ts';
import { newFormId } from '../writes/told.ts';
import { type MenuPageView, menuPath } from './menu-view.ts';
import { datesTag, visibilityTag } from './visibility-tag.ts';

function row(desk: Desk, placed: PlacedSection, isChosen: boolean): Html {
  const { say } = desk.request;
  const { section, siblings, depth } = placed;
  const name = sectionName(desk, placed);
  const place = { index: siblings.indexOf(section), count: siblings.length };
  const current = isChosen && html` aria-current="true"`;
  return html`<li class="section depth-${Math.min(depth, 3)}" data-id="${section.id}" data-group="${section.parent_id ?? 0}-${section.menu_type}">
  <div class="titled"><a href="/admin/menu?section=${section.id}"${current} dir="auto">${name}</a>${!section.is_active && html`<span class="tag">${say('menu.hidden')}</span>`}${visibilityTag(desk, section)}${datesTag(desk, section)}</div>
  <span class="count" title="${say('menu.dishes', { n: section.dishes })}">${section.dishes}</span>
  ${moveButtons(say, 'section', { id: section.id, name, ...place })}
</li>`;
}

/** Links to what few people need each day. */
function moreLists({ request }: Desk): Html {
  const { say } = request;
  const lists = EDITORS.flatMap(({ list }) => list ?? []);
  const pages = [...lists, { path: DELETED_PATH, title: 'lists.deleted' as const }];
  const links = pages.map(({ path, title }) => html`<li><a href="${path}">${say(title)}</a></li>`);
  return html`<nav class="more-lists" aria-label="${say('lists.more')}"><ul>${links}</ul></nav>`;
}

/** The sections in the order of the menu, with buttons that move them. */
export function sectionList(desk: Desk, { query, sections, chosen }: MenuPageView): Html {
  const { request } = desk;
  const { say } = request;
  const isWine = ({ section }: PlacedSection) => section.menu_type === 'wine';
  const hasBoth = sections.some(isWine) && !sections.every(isWine);
  const dishes = sections.reduce((sum, { section }) => sum + section.dishes, 0);
  const rows = sections.map((placed) => row(desk, placed, placed === chosen));
  return html`<section class="sections" aria-labelledby="sections-title">
<h2 id="sections-title">${say('menu.sections')}</h2>
${
  rows.length === 0
    ? html`<p class="hint">${say('menu.empty')}</p>`
    : html`<form method="post" action="${menuPath(query)}">${hiddenFields(request)}
<input type="hidden" name="form_id" value="${newFormId()}">
<ul data-sortable="section">${rows}</ul></form>
${hasBoth && html`<p class="hint">${say('menu.winesLast')}</p>`}
<p><a class="all-dishes" href="/admin/menu?q=">${say('menu.allDishes', { n: dishes })}</a></p>`
}
<p class="row"><a class="${rows.length === 0 ? 'button main' : 'button'}" href="/admin/menu/sections/new">+ ${say('menu.newSection')}</a></p>
${moreLists(desk)}
</section>`;
}
