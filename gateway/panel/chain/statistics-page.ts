import { guardCell } from '../../../db/schema/dish-table.ts';
import type { ChainBranch } from '../../../db/sql/chains.ts';
import { countInHouses, type HouseFigure } from '../../../db/sql/counts.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import { createAnswer } from '../../http/answer.ts';
import { csvHeaders, writeCsv } from '../../http/csv.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { input } from '../forms/inputs.ts';
import { readAskedPeriod } from '../guests/statistics-page.ts';
import { notice } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import { nameIn } from '../texts/choose.ts';
import { CHAIN_STATISTICS_PATH, ofMaster, wayToChain } from './chain.ts';

/** So many dishes and texts of each house are counted, and so many rows stand on the page. */
const MAX_COUNTED = 500;
const MAX_ROWS = 20;

type House = ReturnType<typeof housesOf>[number];

type FigureRow = ReturnType<typeof rowsOf>[number];

/** The figures of one kind, by what they count, the most frequent first. */
function rowsOf({ request }: Desk, figures: readonly HouseFigure[], kind: HouseFigure['kind']) {
  const rows = new Map<string, { label: string; total: number; byHouse: Map<string, number> }>();
  for (const { house, kind: own, name, key, count } of figures) {
    if (own !== kind) continue;
    const label = name ? nameIn(name, request.language) : key;
    const row = rows.get(key) ?? { label, total: 0, byHouse: new Map<string, number>() };
    rows.set(key, row);
    row.total += count;
    row.byHouse.set(house, (row.byHouse.get(house) ?? 0) + count);
  }
  return [...rows.values()].sort((a, b) => b.total - a.total);
}

function table(
  { request, say }: Desk,
  title: TextKey,
  head: TextKey,
  houses: readonly House[],
  rows: readonly FigureRow[],
): Html {
  const { language } = request;
  const format = new Intl.NumberFormat(language);
  const body = rows.slice(0, MAX_ROWS).map(({ label, total, byHouse }) => {
    const cells = houses.map(({ slug }) => html`<td>${format.format(byHouse.get(slug) ?? 0)}</td>`);
    return html`<tr><th scope="row" dir="auto">${label}</th><td><strong>${format.format(total)}</strong></td>${cells}</tr>`;
  });
  const heads = houses.map(({ name }) => html`<th scope="col" dir="auto">${name}</th>`);
  const content =
    rows.length === 0
      ? html`<p class="hint">${say('statistics.nothing')}</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="${say(title)}"><table class="bars houses"><thead><tr><th scope="col">${say(head)}</th><th scope="col">${say('chain.total')}</th>${heads}</tr></thead><tbody>${body}</tbody></table></div>`;
  return html`<section class="card part figures"><h2>${say(title)}</h2>${content}</section>`;
}

function housesOf({ request }: Desk, branches: readonly Pick<ChainBranch, 'slug' | 'name'>[]) {
  const { restaurant } = request.context;
  return [{ slug: restaurant.tenant.slug, name: request.brand.name }, ...branches];
}

async function read(desk: Desk) {
  const asked = readAskedPeriod(desk);
  const { tenantId } = desk;
  const figures = await desk.reportDb.moment((db) =>
    countInHouses(db, tenantId, asked.period, MAX_COUNTED),
  );
  return { ...asked, figures };
}

/** `GET /admin/chain/statistics`: the reports of all houses beside each other. */
export const showHousesStatistics = ofMaster(async (desk, branches) => {
  const { say } = desk;
  const { period, isWrong, figures } = await read(desk);
  const { from, to } = period;
  const houses = housesOf(desk, branches);
  const [searches] = rowsOf(desk, figures, 'search');
  const searched = searches ? [{ ...searches, label: say('chain.searches') }] : [];
  const state = { notice: isWrong && notice('bad', say('statistics.badPeriod')) };
  const content = html`<form class="search period" method="get" action="${CHAIN_STATISTICS_PATH}">
${input({ name: 'from', label: say('statistics.from'), type: 'date', value: from })}
${input({ name: 'to', label: say('statistics.to'), type: 'date', value: to })}
<button class="button">${say('statistics.show')}</button>
<span class="row"><a class="button" href="${CHAIN_STATISTICS_PATH}.csv?from=${from}&amp;to=${to}" download>CSV</a></span></form>
${table(desk, 'statistics.dishes', 'statistics.dish', houses, rowsOf(desk, figures, 'dish'))}
${table(desk, 'chain.searches', 'statistics.times', houses, searched)}
${table(desk, 'statistics.searches', 'statistics.searched', houses, rowsOf(desk, figures, 'missed'))}`;
  const head = { state, title: say('places.statistics'), way: wayToChain(say) };
  return titledPage(desk, { ...head, content, place: 'chain' });
});

const HEADERS = csvHeaders('chain-statistics.csv');

/** `GET /admin/chain/statistics.csv`: a row for each dish and text, a column for each house. */
export const sendHousesStatistics = ofMaster(async (desk, branches) => {
  const { figures } = await read(desk);
  const houses = housesOf(desk, branches);
  const rows = (['dish', 'search', 'missed'] as const).flatMap((kind) =>
    rowsOf(desk, figures, kind).map(({ label, total, byHouse }) => [
      ...[kind, guardCell(label), String(total)],
      ...houses.map(({ slug }) => String(byHouse.get(slug) ?? 0)),
    ]),
  );
  const head = ['kind', 'name', 'total', ...houses.map(({ slug }) => slug)];
  return createAnswer('200 OK', 'no-store', HEADERS, writeCsv([head, ...rows]));
});
