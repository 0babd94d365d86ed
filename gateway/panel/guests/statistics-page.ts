import { shiftDay } from '../../../db/runtime/day.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import { isLocale, LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import {
  allergensReport as allergenReport,
  items,
  searches,
} from '../../analytics/reports/items.ts';
import { overview } from '../../analytics/reports/overview.ts';
import { readPeriod } from '../../analytics/reports/period.ts';
import { createReportContext } from '../../analytics/reports/report.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { input } from '../forms/inputs.ts';
import { notice } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { dateLocale } from '../texts/choose.ts';

/** The periods that people look at most, in days. */
const SPANS = [
  ['statistics.today', 1],
  ['statistics.week', 7],
  ['statistics.month', 30],
] as const;

/** The period of a report that the page's address asks for; the usual one in place of a wrong one. */
export function readAskedPeriod({ request, session, now }: Desk) {
  const { query } = request.context;
  try {
    return { ...readPeriod(query, session.timezone, now()), isWrong: false };
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return { ...readPeriod('', session.timezone, now()), isWrong: true };
  }
}

const isSome = ({ figures }: BarRow) => figures.some((figure) => figure !== 0);

/** The rows without a figure, folded. */
function zeros({ request, say }: Desk, columns: readonly string[], rows: BarRow[]): Content {
  const empty = rows.filter((row) => !isSome(row));
  if (empty.length === 0) return null;
  const title = say('statistics.zeros', { n: empty.length });
  const table = barTable(request, title, columns, empty);
  return html`<details><summary>${title}</summary>${table}</details>`;
}

function part(desk: Desk, label: TextKey, heads: readonly TextKey[], rows: BarRow[]): Html {
  const { request, say } = desk;
  const title = say(label);
  const columns = heads.map((head) => say(head));
  const isEmpty = rows.every(({ figures }) => figures.every((figure) => figure === 0));
  const content: Content = isEmpty
    ? html`<p class="hint">${say('statistics.nothing')}</p>`
    : html`${barTable(request, title, columns, rows.filter(isSome))}${zeros(desk, columns, rows)}`;
  return html`<section class="card part figures"><h2>${title}</h2>${content}</section>`;
}

function readFigures(
  { request, reportDb }: Desk,
  { period, limit }: ReturnType<typeof readAskedPeriod>,
) {
  const { tenant } = request.context.restaurant;
  return reportDb.moment(async (db) => {
    const context = createReportContext(
      { db, tenant, period, limit: Math.min(limit, 20) },
      request.language,
    );
    return {
      all: await overview(context),
      dishes: await items(context),
      left: await allergenReport(context),
      missed: await searches(context),
    };
  });
}

/** `GET /admin/statistics`: the reports of the API as tables with bars. */
export async function showStatistics(desk: Desk): Promise<Answer> {
  const { say, language } = desk.request;
  const asked = readAskedPeriod(desk);
  const { from, to } = asked.period;
  const { all, dishes, left, missed } = await readFigures(desk, asked);
  // Texts that are not in the table, and those that were not kept.
  const others =
    missed.total_searches - missed.queries.reduce((sum, { searches }) => sum + searches, 0);
  const day = new Intl.DateTimeFormat(dateLocale(language), {
    day: 'numeric',
    month: 'short',
    weekday: 'short',
    timeZone: 'UTC',
  });
  const name = (locale: string | null) =>
    locale !== null && isLocale(locale) ? LANGUAGE_NAMES[locale] : say('statistics.other');
  const byDay = all.by_day.toReversed().map(({ date, visitors }) => ({
    label: day.format(Date.parse(date)),
    figures: [visitors],
  }));
  const byHour = all.by_hour.map(({ hour, visitors }) => ({
    label: `${hour}:00`,
    figures: [visitors],
  }));
  const byDish = dishes.items.map(({ name: label, views, visitors }) => ({
    label,
    figures: [views, visitors],
  }));
  const byLanguage = all.by_locale
    .toSorted((a, b) => b.visitors - a.visitors)
    .map(({ locale, visitors }) => ({ label: name(locale), figures: [visitors] }));
  const byAllergen = left.allergens.map(({ key, uses }) => ({
    label: say(allergens.label(key)),
    figures: [uses],
  }));
  const bySearch = [
    ...missed.queries.map(({ query, searches }) => ({ label: query, figures: [searches] })),
    ...(others > 0 ? [{ label: say('statistics.otherTexts'), figures: [others] }] : []),
  ];
  const { timezone: timeZone } = desk.session;
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(desk.now());
  const spans = SPANS.map(([text, days]) => {
    const first = shiftDay(today, 1 - days);
    const current = first === from && today === to && html` aria-current="true"`;
    return html`<a class="button" href="/admin/statistics?from=${first}&amp;to=${today}"${current}>${say(text)}</a>`;
  });
  const { events, visitors } = all.totals;
  const content = html`<form class="search period" method="get" action="/admin/statistics">
${input({ name: 'from', label: say('statistics.from'), type: 'date', value: from })}
${input({ name: 'to', label: say('statistics.to'), type: 'date', value: to })}
<button class="button">${say('statistics.show')}</button>
<span class="row">${spans}</span></form>
${part(desk, 'statistics.byDay', ['statistics.day', 'statistics.visitors'], byDay)}
${part(desk, 'statistics.byHour', ['statistics.hour', 'statistics.visitors'], byHour)}
${part(desk, 'statistics.dishes', ['statistics.dish', 'statistics.views', 'statistics.visitors'], byDish)}
${part(desk, 'statistics.languages', ['statistics.language', 'statistics.visitors'], byLanguage)}
${part(desk, 'statistics.allergens', ['statistics.allergen', 'statistics.times'], byAllergen)}
${part(desk, 'statistics.searches', ['statistics.searched', 'statistics.times'], bySearch)}`;
  return titledPage(desk, {
    state: { notice: asked.isWrong && notice('bad', say('statistics.badPeriod')) },
    ...{ title: say('statistics.title'), intro: say('statistics.totals', { events, visitors }) },
    ...{ content, place: 'statistics' },
  });
}

interface BarRow {
  label: string;
  /** The first one is drawn. */
  figures: readonly number[];
}

/**
 * Figures with a bar each: a table that can be read out.
 *
 * @param heads of the labels and of the figures
 */
export function barTable(
  request: PanelRequest,
  caption: string,
  heads: readonly string[],
  rows: readonly BarRow[],
): Html {
  const most = Math.max(1, ...rows.map(({ figures }) => figures[0] ?? 0));
  const format = new Intl.NumberFormat(request.language);
  const body = rows.map(({ label, figures }) => {
    const width = Math.round(((figures[0] ?? 0) / most) * 100);
    return html`<tr><th scope="row">${label}</th>${figures.map((figure) => html`<td>${format.format(figure)}</td>`)}<td class="bar-cell"><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="1"/></svg></td></tr>`;
  });
  return html`<table class="bars"><caption class="hidden">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}<td></td></tr></thead>
<tbody>${body}</tbody></table>`;
}
