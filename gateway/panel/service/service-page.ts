import { openingState } from '../../../db/hours/opening.js';
import { constants } from '../../../db/runtime/constants.ts';
import { shiftDay } from '../../../db/runtime/day.ts';
import { toLocal, toUtc } from '../../../db/runtime/zone-clock.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import {
  listOpeningTimes,
  listServedDishes,
  type OpeningTime,
  type ServedDish,
} from '../../../db/sql/dishes.ts';
import { findHouseHours, type HouseHours } from '../../../db/sql/tenants.ts';
import { DAY_ENDS, houseDay, soldOutEnd } from '../../display/parts/sold-out.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { fold } from '../../search/fold.js';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { hiddenFields, refusal, staleForm } from '../pages/fields.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { dateLocale, nameIn } from '../texts/choose.ts';
import { save } from '../writes/save.ts';
import { newFormId } from '../writes/told.ts';

/** For how long a dish is sold out, as the buttons say. */
export const SPANS = ['today', 'tomorrow', 'open'] as const;
/** The page of service offers the next opening of the same day, too. */
const SERVICE_SPANS = ['tonight', ...SPANS] as const;
export type Span = (typeof SERVICE_SPANS)[number];

/** The openings where neither the house nor a section says when they are. */
const USUAL_OPENING = '10:00';
const USUAL_EVENING = '18:00';

/** The weekday of `YYYY-MM-DD`, from 1, Monday, to 7. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** When the first section is served on a day, `HH:MM`. */
function openingOn(day: string, times: readonly OpeningTime[]): string {
  const weekday = weekdayOf(day);
  const starts = times
    .filter(({ weekdays }) => weekdays === null || weekdays.includes(weekday))
    .map(({ time_start }) => time_start);
  return starts.sort((left, right) => left.localeCompare(right))[0] ?? USUAL_OPENING;
}

/** When the house states its hours: its first opening from the early morning of `day` on. */
function houseOpening(day: string, house: HouseHours) {
  const { isOpen, change } = openingState(house, { day, time: DAY_ENDS });
  return isOpen === false ? change : null;
}

/** The next opening of the same day: that of the evening, at lunch. Null when there is none. */
function laterOpening(
  now: { day: string; time: string },
  times: readonly OpeningTime[],
  house: HouseHours,
) {
  const { isOpen, change } = openingState(house, now);
  if (isOpen !== null) {
    const next = isOpen && change ? openingState(house, change).change : change;
    return next?.day === now.day ? next : null;
  }
  const weekday = weekdayOf(now.day);
  const starts = times
    .filter(({ weekdays }) => weekdays === null || weekdays.includes(weekday))
    .map(({ time_start }) => time_start)
    .filter((start) => start > now.time)
    .sort((left, right) => left.localeCompare(right));
  const time = times.length === 0 ? USUAL_EVENING : (starts[0] ?? '');
  return time > now.time ? { day: now.day, time } : null;
}

/**
 * Until when a dish is sold out that is so from now on, as the API takes it. "Tomorrow" is the house's
 * next opening after today; where it states no hours, the first section's of tomorrow.
 *
 * @param now in ms since 1970
 * @param times at which sections are served
 */
export function endAfterSpan(
  span: Span,
  timezone: string,
  now: number,
  times: readonly OpeningTime[],
  house: HouseHours,
): string {
  if (span === 'open') return 'indefinitely';
  const [date = '', time = ''] = toLocal(new Date(now).toISOString(), timezone).split('T');
  const tomorrow = shiftDay(time < DAY_ENDS ? shiftDay(date, -1) : date, 1);
  const night = { day: tomorrow, time: DAY_ENDS };
  const openings = {
    tonight: () => laterOpening({ day: date, time }, times, house) ?? night,
    today: () => night,
    tomorrow: () => houseOpening(tomorrow, house),
  };
  const opening = openings[span]();
  const { day, time: at } = opening ?? { day: tomorrow, time: openingOn(tomorrow, times) };
  return toUtc(`${day}T${at}`, timezone);
}

/** The end for a span from now on, or from another moment, as the API takes it. */
export async function endOfSpan(
  { db, request, session, now }: Desk,
  span: Span,
  at = now(),
): Promise<string> {
  const [times, house] = await Promise.all([
    listOpeningTimes(db, request.tenantId),
    findHouseHours(db, request.tenantId),
  ]);
  return endAfterSpan(span, session.timezone, at, times, house);
}

/** Until when a dish is sold out, in the page's language; null for one that is not. */
export function soldOutText(
  { request, session, now }: Desk,
  isSoldOut: boolean,
  end: Date | null,
): string | null {
  const { say, language } = request;
  if (!isSoldOut) return null;
  if (end === null) return say('service.untilBack');
  const { timezone } = session;
  const today = houseDay(new Date(now()), timezone);
  const { text, ...values } = soldOutEnd(end, today, timezone, dateLocale(language));
  return say(`service.${text}`, values);
}

export const SERVICE_PATH = '/admin/service';

/** A dish's words in all languages, as the search compares them. */
function wordsOf({ name }: ServedDish, language: PanelRequest['language']): string {
  return fold([nameIn(name, language), ...Object.values(name)].join(' '));
}

/** The length of a note why a dish is sold out, in characters. */
const MAX_NOTE = 200;

/** A dish in one row: one tap for today, and the other spans behind a second one. */
function dishItem(desk: Desk, dish: ServedDish, search: string): Html {
  const { say, language } = desk.request;
  const name = nameIn(dish.name, language);
  const button = (span: Span | 'back') =>
    html`<button class="button" name="do" value="${span}" aria-label="${name}: ${say(`service.${span}`)}">${say(`service.${span}`)}</button>`;
  const until = soldOutText(desk, dish.is_sold_out, dish.sold_out_until);
  const others = SERVICE_SPANS.filter((span) => span !== 'today');
  const note = html`<label>${say('fields.dish.sold_out_note')} <input type="text" name="note" maxlength="${MAX_NOTE}" autocomplete="off" dir="auto"></label>`;
  const spans = html`${button('today')}<details><summary class="button" aria-label="${name}: ${say('service.others')}">…</summary>${note}<div class="spans">${others.map(button)}</div></details>`;
  const why = nameIn(dish.sold_out_note, language);
  return html`<li class="${dish.is_sold_out ? 'gone' : ''}" id="dish-${dish.id}" data-find="${wordsOf(dish, language)}">
<form method="post" action="${SERVICE_PATH}#dish-${dish.id}">${hiddenFields(desk.request)}
<input type="hidden" name="form_id" value="${newFormId()}"><input type="hidden" name="dish" value="${dish.id}"><input type="hidden" name="q" value="${search}">
<p class="name" dir="auto">${name}${until !== null && html` <span class="until">${until}${why !== '' && html`: <span dir="auto">${why}</span>`}</span>`}</p>
${dish.is_sold_out ? button('back') : spans}</form></li>`;
}

/** Dishes by their sections, in the order of the menu: one that is sold out stays in its place. */
function sectionsOf(desk: Desk, dishes: readonly ServedDish[], search: string) {
  const sections = new Map<number, ServedDish[]>();
  for (const dish of dishes) {
    sections.set(dish.section_id, [...(sections.get(dish.section_id) ?? []), dish]);
  }
  return [...sections].map(([id, ofOne]) => {
    const name = ofOne[0] ? nameIn(ofOne[0].section_name, desk.request.language) : '';
    const content = html`<section id="section-${id}"><h2 dir="auto">${name}</h2><ul>${ofOne.map((dish) => dishItem(desk, dish, search))}</ul></section>`;
    return { jump: html`<a href="#section-${id}" dir="auto">${name}</a>`, content };
  });
}

interface ServiceState {
  search: string;
  status?: string;
  notice?: Content;
}

/** The page for a tablet in the kitchen: what is sold out, and until when. */
async function servicePage(
  desk: Desk,
  { search, status, ...state }: ServiceState,
): Promise<Answer> {
  const { db, request } = desk;
  const { say, tenantId, language } = request;
  const all = await listServedDishes(db, tenantId, constants.maxServedDishes);
  const words = fold(search).split(/\s+/).filter(Boolean);
  const dishes = all.filter((dish) => {
    const text = wordsOf(dish, language);
    return words.every((word) => text.includes(word));
  });
  const gone = all.filter(({ is_sold_out }) => is_sold_out);
  const sections = sectionsOf(desk, dishes, search);
  const content = html`<div class="opening"><h1>${say('service.title')}</h1><p class="intro">${say('service.how')}</p></div>
${state.notice ?? null}
<form class="find" method="get" action="${SERVICE_PATH}" role="search">
  <label class="hidden" for="q">${say('service.search')}</label>
  <input id="q" name="q" type="search" value="${search}" placeholder="${say('service.search')}" autocomplete="off">
  <button class="button">${say('menu.find')}</button>
</form>
<div class="service" data-live>
<nav class="jumps" aria-label="${say('service.sections')}">${sections.map(({ jump }) => jump)}</nav>
${gone.length > 0 && html`<nav class="out" aria-label="${say('service.title')}"><b>${say('service.title')} (${gone.length})</b> ${gone.map(({ id, name }) => html`<a href="#dish-${id}" dir="auto">${nameIn(name, language)}</a> `)}</nav>`}
<p class="no-dish"${dishes.length > 0 && html` hidden`}>${say('service.none')}</p>
${sections.map(({ content }) => content)}
</div>`;
  const title = say('service.title');
  return deskPage(desk, { status, title, content, place: 'service', isLive: true });
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
async function endFor(desk: Desk, form: Form): Promise<string | null | undefined> {
  const wish = form.text('do');
  if (wish === 'back') return null;
  const span = SERVICE_SPANS.find((one) => one === wish);
  if (!span) return undefined;
  return endOfSpan(desk, span, momentOf(desk, form.text('at')));
}

/** `POST /admin/service`: one tap, one write. */
export async function changeService(desk: Desk): Promise<Answer> {
  const { request, session } = desk;
  const { say } = request;
  const form = await readForm(request.context);
  const note = form.text('note').trim().slice(0, MAX_NOTE);
  const search = form.text('q').slice(0, constants.maxSearchLength);
  if (!isOwnForm(request, form.text('form_token'))) {
    return servicePage(desk, { search, ...staleForm(request) });
  }
  const recordId = parseRecordId(form.text('dish'));
  const until = await endFor(desk, form);
  if (recordId === null || until === undefined) {
    return servicePage(desk, { search, ...refusal(say('service.failed')) });
  }
  const path = `${SERVICE_PATH}${search === '' ? '' : `?q=${encodeURIComponent(search)}`}`;
  // A tap that waited for a connection until its end was over changes nothing.
  if (until !== null && Date.parse(until) <= desk.now()) return redirectAnswer(request, path);
  const saved = await save(desk, {
    ...{ resource: 'items', action: 'change', recordId, ifMatch: null },
    input: {
      sold_out_until: until,
      ...(note !== '' && until !== null && { sold_out_note: { [session.default_locale]: note } }),
    },
    key: [form.text('form_id'), form.text('do')],
  });
  if (saved.kind === 'done') return redirectAnswer(request, path);
  const status = saved.kind === 'too-many' ? '429 Too Many Requests' : '409 Conflict';
  return servicePage(desk, { search, ...refusal(say('service.failed'), status) });
}
