import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { countDishes, DISH_STATES, type DishSearch } from '../../../db/sql/dishes.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import { menuAddress } from '../chosen-release.ts';
import type { Desk } from '../desk.ts';
import { choiceInput, optionList, select } from '../forms/inputs.ts';
import { onceFields } from '../pages/fields.ts';
import { longDeskPage, type PageState } from '../pages/page.ts';
import { DELETED_PATH } from '../records/deleted-page.ts';
import { EDITORS, plannedPath } from '../records/editor.ts';
import { SPANS } from '../service/spans.ts';
import { messageNotice } from '../writes/message.ts';
import {
  moveButtons,
  type PlacedSection,
  placeSections,
  readSections,
  sectionName,
  sectionOptions,
} from '../writes/move.ts';
import { planAhead } from '../writes/planned-values.ts';
import { datesTag, dishRow, visibilityTag } from './dish-row.ts';
import { type EnteredDishes, NOTHING_ENTERED } from './entered-dishes.ts';
import { manySectionsForm } from './many-sections.ts';
import { plannedSections, searchDishes } from './planned-menu.ts';

type MenuQuery = ReturnType<typeof readMenuQuery>;
type MenuPageView = Awaited<ReturnType<typeof readMenuView>>;

/** Postgres takes not all of them. */
const CONTROLS = /\p{Cc}+/gu;

/** Which dishes a list shows, as its address says it. */
export function readMenuQuery({ request }: Desk) {
  const query = new URLSearchParams(request.context.query);
  const state = query.get('state');
  return {
    section: parseRecordId(query.get('section') ?? ''),
    text: (query.get('q') ?? '').replace(CONTROLS, ' ').trim().slice(0, 200),
    state: DISH_STATES.find((one) => one === state) ?? null,
    /** Somebody searches, also when for everything. */
    isSearch: query.has('q') || query.has('state'),
  };
}

export function dishSearch({ section, text, state }: MenuQuery): Omit<DishSearch, 'limit'> {
  return {
    ...(section !== null && { sectionId: section }),
    ...(text !== '' && { text }),
    ...(state !== null && { state }),
  };
}

/** The address of the list that a query names. */
export function menuPath({ section, text, state, isSearch }: MenuQuery): string {
  const query = new URLSearchParams();
  if (section !== null) query.set('section', String(section));
  if (isSearch) query.set('q', text);
  if (state !== null) query.set('state', state);
  const written = query.toString();
  return written === '' ? '/admin/menu' : `/admin/menu?${written}`;
}

/** Everything that the list shows, in two statements, or three when there are more dishes. */
async function readMenuView(desk: Desk) {
  const { db, constants, tenantId } = desk;
  const query = readMenuQuery(desk);
  const planned = desk.chosen && (await planAhead(desk, desk.chosen.release)).menu;
  const sections = planned ? placeSections(plannedSections(planned)) : await readSections(desk);
  /** The section whose dishes are shown. */
  const chosen = sections.find(({ section }) => section.id === query.section);
  if (!chosen && !query.isSearch) return { query, sections, chosen, dishes: null, total: 0 };
  const search = dishSearch({ ...query, section: chosen?.section.id ?? null });
  const limit = constants.maxListedDishes;
  const dishes = await searchDishes(desk, planned, { ...search, limit });
  const isCut = dishes.length === limit;
  /** Also those that the list has no room for. */
  const total = isCut ? await countDishes(db, tenantId, search) : dishes.length;
  return { query, sections, chosen, dishes, total };
}

function searchForm({ say }: Desk, { query, chosen }: MenuPageView): Html {
  const options = DISH_STATES.map((state) => ({ value: state, label: say(`dishStates.${state}`) }));
  // On a phone the dishes of a section need the place; the page before has the search.
  const kind = chosen && !query.isSearch ? 'search aside' : 'search';
  return html`<form class="${kind}" method="get" action="/admin/menu" role="search">
  <div><label for="q">${say('menu.search')}</label><input id="q" name="q" type="text" value="${query.text}" autocomplete="off"></div>
  <div><label for="state">${say('menu.filter')}</label><select id="state" name="state"><option value="">${say('menu.all')}</option>${optionList(options, query.state)}</select></div>
  <button class="button">${say('menu.find')}</button>
</form>`;
}

/** The state of a list beside the saved records. */
interface MenuState extends PageState {
  /** The names of new sections as they were typed. */
  names?: string;
  /** Values that somebody has entered and that are not saved. */
  entered?: EnteredDishes;
  /** Errors by the ids of dishes. */
  errors?: ReadonlyMap<number, string>;
}

function manyForm(desk: Desk, { sections, total }: MenuPageView, entered: EnteredDishes): Html {
  const { say } = desk;
  const button = (action: string, text: string) =>
    html`<button class="button" name="do" value="many-${action}">${text}</button>`;
  const section = { name: 'section', label: say('menu.section'), value: entered.section };
  // Untouched it names no section: another button would drop the choice without a word.
  const sectionChoices = [{ value: '', label: '—' }, ...sectionOptions(desk, sections)];
  const byOptions = [
    { value: 'percent', label: '%' },
    { value: 'amount', label: desk.request.context.restaurant.tenant.currency },
  ];
  const all = choiceInput('checkbox', {
    ...{ name: 'all', value: '1', checked: entered.isAll },
    label: say('menu.wholeList', { n: total }),
  });
  return html`<fieldset class="many"><legend>${say('menu.many')}</legend>
  ${all}
  <div class="row">${button('show', say('menu.show'))}${button('hide', say('menu.hide'))}${button('available', say('menu.markAvailable'))}</div>
  <div class="row"><span class="row-title">${say('menu.markSoldOut')}</span>${SPANS.map((span) => button(`sold-out-${span}`, say(`service.${span}`)))}</div>
  <div class="row">${select(section, sectionChoices)}${button('move', say('menu.move'))}</div>
  <div class="row"><div class="field"><label for="percent">${say('menu.percent')}</label><input id="percent" name="percent" type="text" inputmode="text" value="${entered.percent}" autocomplete="off"></div>${select({ name: 'by', label: say('menu.by'), value: entered.by }, byOptions)}${button('review', say('menu.change'))}</div>
  <div class="row">${button('no-offers', say('menu.noOffers'))}</div>
</fieldset>`;
}

/** Whether a list has all dishes of its section. */
const isWhole = ({ text, state }: MenuQuery) => text === '' && state === null;

/** The dishes of a list in pieces of HTML, one for each of them. */
function* dishList(desk: Desk, view: MenuPageView, state: MenuState): Generator<Html> {
  const { request, say } = desk;
  const { dishes, chosen, query, total } = view;
  const { entered = NOTHING_ENTERED, errors } = state;
  const all = dishes ?? [];
  if (all.length === 0) {
    yield html`<p class="hint">${say(isWhole(query) ? 'menu.emptySection' : 'menu.nothing')}</p>`;
    return;
  }
  const isSortable = chosen && isWhole(query);
  yield html`<form class="list" method="post" action="${menuPath(query)}">
${onceFields(request)}
<div class="bar"><span class="count">${say('menu.dishes', { n: total })}</span><button class="button" name="do" value="prices">${say('menu.savePrices')}</button></div>
<ul class="dishes"${isSortable ? html` data-sortable="dish"` : null}>`;
  for (const [index, dish] of all.entries()) {
    const place = isSortable ? { index, count: all.length } : null;
    yield dishRow(desk, dish, { place, entered, error: errors?.get(dish.id) });
  }
  yield html`</ul>
${all.length < total && html`<p class="hint">${say('menu.truncated', { n: all.length })}</p>`}
${manyForm(desk, view, entered)}
</form>`;
}

function* dishesPart(desk: Desk, view: MenuPageView, state: MenuState): Generator<Html> {
  const { say } = desk;
  const { chosen, dishes } = view;
  if (!dishes) return;
  const id = chosen?.section.id;
  const links =
    id !== undefined &&
    html`<div class="row"><a class="button main new-dish" href="/admin/menu/items/new?section=${id}">+ ${say(chosen?.section.menu_type === 'wine' ? 'menu.newWine' : 'menu.newDish')}</a>
<a class="button" href="/admin/menu/sections/${id}">${say('menu.editSection')}</a></div>`;
  const title = chosen ? sectionName(desk, chosen) : say('menu.found');
  yield html`<section class="chosen" aria-labelledby="chosen-title">
<p class="way"><a href="/admin/menu">‹ ${say('menu.allSections')}</a></p>
<h2 id="chosen-title" dir="auto">${title}</h2>
${links}
`;
  yield* dishList(desk, view, state);
  yield html`
</section>`;
}

/** The sections and dishes of the page, in pieces. */
function* listsOf(desk: Desk, view: MenuPageView, state: MenuState): Generator<Html> {
  yield html`
<div class="menu ${view.dishes ? 'opened' : ''}">
`;
  yield* sectionList(desk, view, state.names ?? '');
  yield html`
`;
  yield* dishesPart(desk, view, state);
  yield html`
</div>`;
}

/** `GET /admin/menu`: sections and dishes in the order of the menu, with what somebody has entered. */
export async function menuPage(desk: Desk, state: MenuState = {}): Promise<Answer> {
  const view = await readMenuView(desk);
  const notice = state.notice ?? (await messageNotice(desk));
  const { status, headers } = state;
  const { say } = desk;
  const title = say('menu.title');
  const content = html`<div class="opening with-link">
<h1>${title}</h1>
<a class="button" href="${menuAddress(desk.chosen)}" target="_blank" rel="noopener">${say('menu.see')}</a>
</div>
${notice}
${view.sections.length > 0 && searchForm(desk, view)}`;
  const page = { status, headers, title, content, place: 'menu' as const };
  return longDeskPage(desk, page, listsOf(desk, view, state));
}

function row(desk: Desk, placed: PlacedSection, isChosen: boolean): Html {
  const { say } = desk;
  const { section, siblings, depth } = placed;
  const name = sectionName(desk, placed);
  const place = { index: siblings.indexOf(section), count: siblings.length };
  const current = isChosen && html` aria-current="true"`;
  const isNew = section.id < 0;
  const own = isNew
    ? plannedPath('categories', section.external_id)
    : `/admin/menu?section=${section.id}`;
  return html`<li class="section depth-${Math.min(depth, 3)}" data-id="${section.id}" data-group="${section.parent_id ?? 0}-${section.menu_type}">
  <div class="titled"><a href="${own}"${current} dir="auto">${name}</a>${!section.is_active && html`<span class="tag">${say('menu.hidden')}</span>`}${visibilityTag(desk, section)}${datesTag(desk, section)}</div>
  <span class="count" title="${say('menu.dishes', { n: section.dishes })}">${section.dishes}</span>
  ${!isNew && moveButtons(say, 'section', { id: section.id, name, ...place })}
</li>`;
}

/** Links to what few people need each day. */
function moreLists({ say }: Desk): Html {
  const lists = EDITORS.flatMap(({ list }) => list ?? []);
  const pages = [...lists, { path: DELETED_PATH, title: 'lists.deleted' as const }];
  const links = pages.map(({ path, title }) => html`<li><a href="${path}">${say(title)}</a></li>`);
  return html`<nav class="more-lists" aria-label="${say('lists.more')}"><ul>${links}</ul></nav>`;
}

/** The sections in the order of the menu, with buttons that move them: a piece for each of them. */
function* sectionList(desk: Desk, view: MenuPageView, names: string): Generator<Html> {
  const { query, sections, chosen } = view;
  const { request, say } = desk;
  const isWine = ({ section }: PlacedSection) => section.menu_type === 'wine';
  const hasBoth = sections.some(isWine) && !sections.every(isWine);
  const dishes = sections.reduce((sum, { section }) => sum + section.dishes, 0);
  yield html`<section class="sections" aria-labelledby="sections-title">
<h2 id="sections-title">${say('menu.sections')}</h2>
`;
  if (sections.length === 0) {
    yield html`<p class="hint">${say('menu.empty')}</p>${manySectionsForm(desk, names)}`;
  } else {
    yield html`<form method="post" action="${menuPath(query)}">${onceFields(request)}
<ul data-sortable="section">`;
    for (const placed of sections) yield row(desk, placed, placed === chosen);
    yield html`</ul></form>
${hasBoth && html`<p class="hint">${say('menu.winesLast')}</p>`}
<p><a class="all-dishes" href="/admin/menu?q=">${say('menu.allDishes', { n: dishes })}</a></p>`;
  }
  yield html`
<p class="row"><a class="button" href="/admin/menu/sections/new">+ ${say('menu.newSection')}</a></p>
${moreLists(desk)}
</section>`;
}
