import { dishesGuestsSee } from '../../../db/law/checklist.ts';
import { additives, allergenKinds, allergens, KINDS_OF } from '../../../db/schema/dictionary.ts';
import type { StoredDish } from '../../../db/schema/dish.ts';
import { guardCell } from '../../../db/schema/dish-table.ts';
import { localize } from '../../../db/schema/values/locale.ts';
import { isSumOfDishes } from '../../../db/snapshot/facts.ts';
import { loadMenu, type StoredMenu } from '../../../db/sql/menus.ts';
import { localTime } from '../../analytics/local-time.ts';
import { type Answer, createAnswer } from '../../http/answer.ts';
import { csvHeaders, writeCsv } from '../../http/csv.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { momentText } from '../pages/moment.ts';
import { titledPage } from '../pages/page.ts';
import { CHECKLIST_PATH } from './read-checklist.ts';

// The written record that inspectors ask for: every dish with each of the 14 allergens, and additives.

const STATES = ['contained', 'traces', 'none', 'undeclared'] as const;
type State = (typeof STATES)[number];
const SIGNS: Record<State, string> = { contained: 'X', traces: '(X)', none: '–', undeclared: '?' };

/** The declaration of a dish about an allergen. */
function stateOf(dish: StoredDish, key: (typeof allergens.keys)[number]): State {
  if (dish.allergens.includes(key)) return 'contained';
  if (dish.traces.includes(key)) return 'traces';
  return dish.allergens_declared ? 'none' : 'undeclared';
}

type InspectionRecord = Awaited<ReturnType<typeof readRecord>>;

async function readRecord({ reportDb, request, tenantId }: Desk) {
  const menu = await reportDb.moment((tx) => loadMenu(tx, tenantId));
  const dishes = dishesGuestsSee(menu).filter((dish) => !isSumOfDishes(dish.courses));
  const byId = new Map(menu.sections.map((section) => [section.id, section]));
  const ids = [...new Set(dishes.map((dish) => dish.category_id))];
  const name = nameIn(request, menu);
  return {
    menu,
    sections: ids.map((id) => ({
      name: name(byId.get(id)?.name_translations ?? {}),
      dishes: dishes.filter((dish) => dish.category_id === id),
    })),
  };
}

const nameIn =
  ({ language }: Desk['request'], { settings }: StoredMenu) =>
  (texts: StoredDish['name_translations']) =>
    localize(texts, {
      ...{ locale: language, fallback: settings.fallback_locale },
      usual: settings.default_locale,
    });

/** The cereals and nuts, and the additives, that a dish names. */
function namesOf({ language }: Desk['request']) {
  const kinds = new Map<string, string>(
    allergenKinds.in(language).map(({ key, name }) => [key, name]),
  );
  const others = new Map<string, string>(
    additives.in(language).map(({ key, name }) => [key, name]),
  );
  return {
    kinds: (dish: StoredDish, of?: readonly string[]) =>
      dish.allergen_detail
        .filter((key) => !of || of.includes(key))
        .map((key) => kinds.get(key))
        .join(', '),
    additives: (dish: StoredDish) => dish.additives.map((key) => others.get(key)).join(', '),
  };
}

/** The version of the menu and its moment, in words. */
function versionText(desk: Desk, { menu }: InspectionRecord): string {
  const moment = momentText(desk, new Date(desk.now()));
  return desk.say('law.version', { version: menu.version, moment });
}

function dishRow(desk: Desk, dish: StoredDish, name: string): Html {
  const { say } = desk;
  const names = namesOf(desk.request);
  const cells = allergens.keys.map((key) => {
    const state = stateOf(dish, key);
    const kinds = names.kinds(dish, KINDS_OF[key as keyof typeof KINDS_OF] ?? []);
    const said = say(`law.signs.${state}`);
    return html`<td><span role="img" aria-label="${said}" title="${said}">${SIGNS[state]}</span>${kinds && html`<small>${kinds}</small>`}</td>`;
  });
  return html`<tr><th scope="row" dir="auto">${name}</th>${cells}<td class="words">${names.additives(dish)}</td></tr>\n`;
}

function recordTable(desk: Desk, { menu, sections }: InspectionRecord): Html {
  const { say, language } = desk.request;
  const name = nameIn(desk.request, menu);
  const heads = allergens
    .in(language)
    .map(({ name: allergen }) => html`<th scope="col"><span>${allergen}</span></th>`);
  const groups = sections.map(({ name: section, dishes }): Content => {
    const rows = dishes.map((dish) => dishRow(desk, dish, name(dish.name_translations)));
    return html`<tbody><tr><th class="law-section" scope="rowgroup" colspan="${allergens.keys.length + 2}" dir="auto">${section}</th></tr>\n${rows}</tbody>`;
  });
  return html`<div class="law-scroll" tabindex="0" role="region" aria-label="${say('law.record')}"><table class="law-record"><thead><tr><td></td>${heads}<th scope="col" class="words">${say('fields.dish.additives')}</th></tr></thead>\n${groups}</table></div>`;
}

/** `GET /admin/checklist/record`: the record as a page to print. */
export async function showInspectionRecord(desk: Desk): Promise<Answer> {
  const { say } = desk;
  const record = await readRecord(desk);
  const legend = STATES.map(
    (state) => html`<span><b>${SIGNS[state]}</b> ${say(`law.signs.${state}`)}</span> `,
  );
  const content = html`<p class="law-legend">${legend}</p>
${recordTable(desk, record)}
<p class="row"><a class="button" href="${CHECKLIST_PATH}/record.csv" download>${say('law.csvRecord')}</a></p>`;
  return titledPage(desk, {
    ...{ title: say('law.record'), way: [CHECKLIST_PATH, say('law.title')], place: 'checklist' },
    intro: html`<span translate="no">${record.menu.settings.name}</span> · ${versionText(desk, record)}`,
    content,
  });
}

/** `GET /admin/checklist/record.csv`: the record as a table. */
export async function sendInspectionRecord(desk: Desk): Promise<Answer> {
  const { request, session, now, say } = desk;
  const { language, context } = request;
  const record = await readRecord(desk);
  const { day } = localTime(session.timezone, now());
  const name = nameIn(request, record.menu);
  const names = namesOf(request);
  const header = [
    ...[say('fields.dish.category_id'), say('records.dish')],
    ...allergens.in(language).map((one) => one.name),
    ...[say('fields.dish.allergen_detail'), say('fields.dish.additives')],
    versionText(desk, record),
  ];
  const rows = record.sections.flatMap(({ name: section, dishes }) =>
    dishes.map((dish) => [
      ...[section, name(dish.name_translations)],
      ...allergens.keys.map((key) => say(`law.signs.${stateOf(dish, key)}`)),
      ...[names.kinds(dish), names.additives(dish), ''],
    ]),
  );
  const table = [header, ...rows].map((row) => row.map(guardCell));
  const file = `${context.restaurant.tenant.slug}-${day}-v${record.menu.version}.csv`;
  const body = writeCsv(table, language === 'en' ? ',' : ';');
  return createAnswer('200 OK', 'no-store', csvHeaders(file), body);
}
