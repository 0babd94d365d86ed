import { constants } from '../../../db/runtime/constants.ts';
import { groupBy } from '../../../db/runtime/group-by.ts';
import type { Translations } from '../../../db/schema/values/locale.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import {
  listServedDishes,
  listServedGroups,
  type ServedDish,
  type ServedGroup,
} from '../../../db/sql/dishes.ts';
import { findTenantVersion } from '../../../db/sql/tenants.ts';
import type { PanelLanguage } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { fold } from '../../search/fold.js';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { onceFields, refusal, staleForm } from '../pages/fields.ts';
import { type PageState, redirectAnswer, titledPage } from '../pages/page.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { nameIn } from '../texts/choose.ts';
import { save } from '../writes/save.ts';
import { labelKey, type PartTarget, type ServedPart, savePart } from './sold-out-part.ts';
import { endOfSpan, SERVICE_SPANS, type Span, soldOutText } from './spans.ts';

/** Names that a place lists. */
const MAX_NAMES = 3;

function listed(names: readonly string[]): string {
  const all = [...new Set(names)];
  return all.length > MAX_NAMES ? `${all.slice(0, MAX_NAMES).join(', ')} …` : all.join(', ');
}

/**
 * Where the groups of one name belong, by their ids: the sections of their dishes, else the dishes. A
 * group that has its name alone is left out.
 */
function placesOfGroups(
  groups: readonly ServedGroup[],
  dishes: readonly ServedDish[],
  language: PanelLanguage,
): Map<number, string> {
  const called = groupBy(groups, ({ name }) => nameIn(name, language).trim().toLowerCase());
  const alike = [...called.values()].filter(({ length }) => length > 1);
  const entries = alike.flatMap((some) => {
    const placed = some.map(({ id }) => {
      const own = dishes.filter((dish) => dish.modifier_group_ids.includes(id));
      const sections = listed(own.map((dish) => nameIn(dish.section_name, language)));
      return { id, sections, names: listed(own.map(({ name }) => nameIn(name, language))) };
    });
    const bySections = groupBy(placed, ({ sections }) => sections);
    return placed.map(({ id, sections, names }): [number, string] => [
      id,
      bySections.get(sections)?.length === 1 ? sections : names,
    ]);
  });
  return new Map(entries);
}

/** Dishes on the page for those who serve. */
const MAX_SERVED_DISHES = 5_000;

export const SERVICE_PATH = '/admin/service';

/** The words of a name in all languages, as the search compares them. */
function wordsOf(name: Translations, language: PanelRequest['language']): string {
  return fold([nameIn(name, language), ...Object.values(name)].join(' '));
}

/** A row of the page: a dish or an option. */
interface ServiceRow {
  id: string;
  find: string;
  /** Hidden fields that name it. */
  fields: Html;
  name: string;
  /** Until when it is sold out, in words; null for on sale. */
  until: string | null;
  why?: string;
  /** Its sizes that are sold out. */
  parts?: Content;
  button: Button;
  search: string;
}

/** Until when a size or an option is sold out, in words; null for one on sale. */
function partText(desk: Desk, { is_sold_out, sold_out_until: end }: ServedPart): string | null {
  return soldOutText(desk, is_sold_out === true, end ? new Date(end) : null);
}

/** The length of a note why a dish is sold out, in characters. */
const MAX_NOTE = 200;

/** The buttons of something that is on sale: one tap for today, and the other spans behind a second. */
type Button = (span: Span | 'back') => Html;

function buttonsOf({ request: { say } }: Desk, name: string, before = ''): Button {
  return (span) =>
    html`<button class="button" name="do" value="${before}${span}" aria-label="${name}: ${say(`service.${span}`)}">${say(`service.${span}`)}</button>`;
}

/** The spans behind the one for today. */
const others = (button: Button) =>
  html`<div class="spans">${SERVICE_SPANS.filter((span) => span !== 'today').map(button)}</div>`;

/** One form in one row. @param more what else its spans unfold */
function item(
  desk: Desk,
  { id, find, fields, name, until, button, search, ...row }: ServiceRow,
  more: Content,
): Html {
  const { say } = desk;
  const isGone = until !== null;
  const why = row.why ?? '';
  const spans = html`${button('today')}<details><summary class="button" aria-label="${name}: ${say('service.others')}">…</summary>${more}</details>`;
  return html`<li class="${isGone ? 'gone' : ''}" id="${id}" data-find="${find}">
<form method="post" action="${SERVICE_PATH}#${id}">${onceFields(desk.request)}${fields}<input type="hidden" name="q" value="${search}">
<p class="name" dir="auto">${name}${isGone && html` <span class="until">${until}${why !== '' && html`: <span dir="auto">${why}</span>`}</span>`}${row.parts ?? null}</p>
${isGone ? button('back') : spans}</form></li>`;
}

/** A dish, with its sizes behind the second tap. */
function dishItem(desk: Desk, dish: ServedDish, search: string): Html {
  const { say, language } = desk.request;
  const name = nameIn(dish.name, language);
  const button = buttonsOf(desk, name);
  const note = html`<label>${say('fields.dish.sold_out_note')} <input type="text" name="note" maxlength="${MAX_NOTE}" autocomplete="off" dir="auto"></label>`;
  const sizes = dish.variants.map((size, at) => {
    const own = `${name}, ${nameIn(size.label_translations, language)}`;
    const press = buttonsOf(desk, own, `size.${at}.`);
    const label = html`<input type="hidden" name="label.${at}" value="${labelKey(size)}"><b dir="auto">${nameIn(size.label_translations, language)}</b>`;
    return html`<div class="size">${label}${size.is_sold_out ? press('back') : html`${press('today')}${others(press)}`}</div>`;
  });
  const goneSizes = dish.variants.flatMap((size) => {
    const until = partText(desk, size);
    const label = nameIn(size.label_translations, language);
    return until === null
      ? []
      : [html` <span class="until"><span dir="auto">${label}</span>: ${until}</span>`];
  });
  const row = {
    ...{ id: `dish-${dish.id}`, find: wordsOf(dish.name, language), name, button, search },
    fields: html`<input type="hidden" name="dish" value="${dish.id}">`,
    until: soldOutText(desk, dish.is_sold_out, dish.sold_out_until),
    why: nameIn(dish.sold_out_note, language),
    ...(!dish.is_sold_out && { parts: goneSizes }),
  };
  return item(desk, row, html`${note}${others(button)}${sizes}`);
}

/** Dishes by their sections, in the order of the menu: one that is sold out stays in its place. */
function sectionsOf(desk: Desk, dishes: readonly ServedDish[], search: string) {
  const sections = groupBy(dishes, ({ section_id }) => section_id);
  return [...sections].map(([id, ofOne]) => {
    const name = ofOne[0] ? nameIn(ofOne[0].section_name, desk.request.language) : '';
    const content = html`<section id="section-${id}"><h2 dir="auto">${name}</h2><ul>${ofOne.map((dish) => dishItem(desk, dish, search))}</ul></section>`;
    return { jump: html`<a href="#section-${id}" dir="auto">${name}</a>`, content };
  });
}

/** The options of a group, which several dishes share. @param place of a group that shares its name */
function groupItem(desk: Desk, group: ServedGroup, search: string, place: string | undefined) {
  const { language } = desk.request;
  const rows = group.options.map((option, at) => {
    const name = nameIn(option.label_translations, language);
    const button = buttonsOf(desk, name);
    const row = {
      ...{ id: `option-${group.id}-${at}`, find: wordsOf(option.label_translations, language) },
      ...{ name, button, search, until: partText(desk, option) },
      fields: html`<input type="hidden" name="group" value="${group.id}"><input type="hidden" name="option" value="${at}"><input type="hidden" name="label.${at}" value="${labelKey(option)}">`,
    };
    return item(desk, row, others(button));
  });
  const isOpen = group.options.some((option) => option.is_sold_out) || search !== '';
  const title = html`<span><span dir="auto">${nameIn(group.name, language)}</span> (${rows.length})${place !== undefined && html` <small dir="auto">${place}</small>`}</span>`;
  return html`<details class="group" id="group-${group.id}"${isOpen && html` open`}><summary>${title}</summary><ul>${rows}</ul></details>`;
}

/** All extras, below the dishes. */
function extras(
  desk: Desk,
  groups: readonly ServedGroup[],
  dishes: readonly ServedDish[],
  words: readonly string[],
  search: string,
) {
  const { say, language } = desk.request;
  const fits = ({ label_translations }: ServedPart) =>
    words.every((word) => wordsOf(label_translations, language).includes(word));
  const found = groups.filter(({ options }) => words.length === 0 || options.some(fits));
  if (found.length === 0) return [];
  const places = placesOfGroups(groups, dishes, language);
  const content = html`<section id="extras"><h2>${say('service.extras')}</h2>${found.map((group) => groupItem(desk, group, search, places.get(group.id)))}</section>`;
  return [{ jump: html`<a href="#extras">${say('service.extras')}</a>`, content }];
}

interface ServiceState extends PageState {
  search: string;
}

/** The page for a tablet in the kitchen: what is sold out, and until when. */
async function servicePage(desk: Desk, { search, ...state }: ServiceState) {
  const { db, request, say, tenantId } = desk;
  const { language } = request;
  // Read first: what changes meanwhile is a later version, for which the page asks again.
  const version = await findTenantVersion(db, tenantId);
  const [all, groups] = await Promise.all([
    listServedDishes(db, tenantId, MAX_SERVED_DISHES),
    listServedGroups(db, tenantId),
  ]);
  const words = fold(search).split(/\s+/).filter(Boolean);
  const dishes = all.filter((dish) => {
    const text = wordsOf(dish.name, language);
    return words.every((word) => text.includes(word));
  });
  const gone = all.filter(({ is_sold_out }) => is_sold_out);
  const sections = [
    ...sectionsOf(desk, dishes, search),
    ...extras(desk, groups, all, words, search),
  ];
  const content = html`<p class="remark" data-kept-note hidden>${say('service.kept')}</p>
<form class="find" method="get" action="${SERVICE_PATH}" role="search">
  <label class="hidden" for="q">${say('service.search')}</label>
  <input id="q" name="q" type="search" value="${search}" placeholder="${say('service.search')}" autocomplete="off">
  <button class="button">${say('menu.find')}</button>
</form>
<div class="service" data-live data-version="${version}">
<nav class="jumps" aria-label="${say('service.sections')}">${sections.map(({ jump }) => jump)}</nav>
${gone.length > 0 && html`<nav class="out" aria-label="${say('service.title')}"><b>${say('service.title')} (${gone.length})</b> ${gone.map(({ id, name }) => html`<a href="#dish-${id}" dir="auto">${nameIn(name, language)}</a> `)}</nav>`}
<p class="no-dish"${sections.length > 0 && html` hidden`}>${say('service.none')}</p>
${sections.map(({ content }) => content)}
</div>`;
  const head = { state, title: say('service.title'), intro: say('service.how') };
  return titledPage(desk, { ...head, content, place: 'service' });
}

/** `GET /admin/service` */
export function showService(desk: Desk): Promise<Answer> {
  const search = new URLSearchParams(desk.request.context.query).get('q') ?? '';
  return servicePage(desk, { search: search.slice(0, constants.maxSearchLength) });
}

/** How old a tap may be that waited for a connection, in ms. */
const MAX_WAIT = 86_400_000;

/** When a tap was made: it may have waited for a connection. */
function momentOf({ now }: Desk, at: string): number {
  const waited = now() - Number(at || now());
  return waited > 0 && waited < MAX_WAIT ? now() - waited : now();
}

/** The end that a button asks for; undefined for none. */
async function endFor(desk: Desk, form: Form, wish: string): Promise<string | null | undefined> {
  if (wish === 'back') return null;
  const span = SERVICE_SPANS.find((one) => one === wish);
  if (!span) return undefined;
  return endOfSpan(desk, span, momentOf(desk, form.text('at')));
}

/** The button of a tap and the record that it is about; null for none. */
function readTap(form: Form): { wish: string; target: PartTarget | { id: number } | null } {
  const [, size, wish = ''] = /^(?:size\.(\d{1,2})\.)?([a-z]+)$/.exec(form.text('do')) ?? [];
  const [dish, group] = [parseRecordId(form.text('dish')), parseRecordId(form.text('group'))];
  const at = Number(size ?? form.text('option'));
  const label = form.text(`label.${at}`);
  if (group !== null) return { wish, target: { of: 'modifier_groups', id: group, at, label } };
  if (dish === null || size === undefined)
    return { wish, target: dish === null ? null : { id: dish } };
  return { wish, target: { of: 'items', id: dish, at, label } };
}

/** `POST /admin/service`: one tap, one write. */
export async function changeService(desk: Desk): Promise<Answer> {
  const { request, session, say } = desk;
  const form = await readForm(request.context);
  const note = form.text('note').trim().slice(0, MAX_NOTE);
  const search = form.text('q').slice(0, constants.maxSearchLength);
  if (!isOwnForm(request, form.text('form_token'))) {
    return servicePage(desk, { search, ...staleForm(request) });
  }
  const { wish, target } = readTap(form);
  const until = await endFor(desk, form, wish);
  if (target === null || until === undefined) {
    return servicePage(desk, { search, ...refusal(say('service.failed')) });
  }
  const path = `${SERVICE_PATH}${search === '' ? '' : `?q=${encodeURIComponent(search)}`}`;
  // A tap that waited for a connection until its end was over changes nothing.
  if (until !== null && Date.parse(until) <= desk.now()) return redirectAnswer(request, path);
  const key = [form.text('form_id'), form.text('do')];
  const saved =
    'label' in target
      ? await savePart(desk, target, until, key)
      : await save(desk, {
          ...{ resource: 'items', action: 'change', recordId: target.id, ifMatch: null, key },
          input: {
            sold_out_until: until,
            ...(note !== '' &&
              until !== null && { sold_out_note: { [session.default_locale]: note } }),
          },
        });
  if (saved.kind === 'done') return redirectAnswer(request, path);
  const status = saved.kind === 'too-many' ? '429 Too Many Requests' : '409 Conflict';
  return servicePage(desk, { search, ...refusal(say('service.failed'), status) });
}
