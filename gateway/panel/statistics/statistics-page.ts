import { allergens } from '../../../db/schema/allergens.ts';
import { type Labels, labels } from '../../../db/schema/field.ts';
import { isLocale } from '../../../db/schema/locale.ts';
import { allergens as allergenReport } from '../../analytics/reports/allergens.ts';
import { items } from '../../analytics/reports/items.ts';
import { overview } from '../../analytics/reports/overview.ts';
import { readPeriod } from '../../analytics/reports/period.ts';
import { createReportContext } from '../../analytics/reports/report.ts';
import { searches } from '../../analytics/reports/searches.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { input } from '../forms/inputs.ts';
import { notice } from '../pages/fields.ts';
import { deskPage } from '../pages/page.ts';
import { dateLocale, LANGUAGE_NAMES } from '../texts/choose.ts';
import { type BarRow, barTable } from './bar-table.ts';

const T = {
  title: labels('Statistiche', 'Statistics', 'Statistiques', 'Statistik', 'Estadísticas'),
  from: labels('Dal', 'From', 'Du', 'Von', 'Desde'),
  to: labels('Al', 'To', 'Au', 'Bis', 'Hasta'),
  show: labels('Mostra', 'Show', 'Afficher', 'Zeigen', 'Mostrar'),
  badPeriod: labels(
    'Questo periodo non va bene: ecco gli ultimi trenta giorni.',
    'This period is not valid: here are the last thirty days.',
    'Cette période n’est pas valable : voici les trente derniers jours.',
    'Dieser Zeitraum passt nicht: Hier sind die letzten dreißig Tage.',
    'Este periodo no es válido: aquí están los últimos treinta días.',
  ),
  totals: labels(
    '{visitors} {visitors:visitatore|visitatori} e {events} {events:azione|azioni}: menù e piatti aperti, ricerche, filtri',
    '{visitors} {visitors:visitor|visitors} and {events} {events:action|actions}: menus and dishes opened, searches, filters',
    '{visitors} {visitors:visiteur|visiteurs} et {events} {events:action|actions} : cartes et plats ouverts, recherches, filtres',
    '{visitors} {visitors:Gast|Gäste} und {events} {events:Aktion|Aktionen}: geöffnete Karten und Gerichte, Suchen, Filter',
    '{visitors} {visitors:visitante|visitantes} y {events} {events:acción|acciones}: cartas y platos abiertos, búsquedas, filtros',
  ),
  byDay: labels('Per giorno', 'By day', 'Par jour', 'Nach Tagen', 'Por día'),
  byHour: labels('Per ora', 'By hour', 'Par heure', 'Nach Stunden', 'Por hora'),
  dishes: labels(
    'I piatti più guardati',
    'The most looked-at dishes',
    'Les plats les plus consultés',
    'Die meistangesehenen Gerichte',
    'Los platos más vistos',
  ),
  languages: labels('Lingue', 'Languages', 'Langues', 'Sprachen', 'Idiomas'),
  allergens: labels(
    'Allergeni esclusi dagli ospiti',
    'Allergens that guests left out',
    'Allergènes écartés par les clients',
    'Von Gästen ausgeschlossene Allergene',
    'Alérgenos que los clientes excluyen',
  ),
  searches: labels(
    'Ricerche senza risultato',
    'Searches that found nothing',
    'Recherches sans résultat',
    'Suchen ohne Treffer',
    'Búsquedas sin resultado',
  ),
  searched: labels('Testo', 'Text', 'Texte', 'Text', 'Texto'),
  times: labels('Volte', 'Times', 'Fois', 'Anzahl', 'Veces'),
  otherTexts: labels('Altri testi', 'Other texts', 'Autres textes', 'Andere Texte', 'Otros textos'),
  visitors: labels('Visitatori', 'Visitors', 'Visiteurs', 'Gäste', 'Visitantes'),
  views: labels('Volte', 'Views', 'Vues', 'Aufrufe', 'Vistas'),
  day: labels('Giorno', 'Day', 'Jour', 'Tag', 'Día'),
  hour: labels('Ora', 'Hour', 'Heure', 'Stunde', 'Hora'),
  dish: labels('Piatto', 'Dish', 'Plat', 'Gericht', 'Plato'),
  language: labels('Lingua', 'Language', 'Langue', 'Sprache', 'Idioma'),
  allergen: labels('Allergene', 'Allergen', 'Allergène', 'Allergen', 'Alérgeno'),
  other: labels('Altre', 'Others', 'Autres', 'Andere', 'Otros'),
  nothing: labels(
    'Ancora niente in questo periodo.',
    'Nothing in this period yet.',
    'Rien encore dans cette période.',
    'In diesem Zeitraum noch nichts.',
    'Todavía nada en este periodo.',
  ),
};

function readAsked({ request, session, now }: Desk) {
  const { query } = request.context;
  try {
    return { ...readPeriod(query, session.timezone, now()), isWrong: false };
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return { ...readPeriod('', session.timezone, now()), isWrong: true };
  }
}

function part({ request }: Desk, label: Labels, heads: readonly Labels[], rows: BarRow[]): Html {
  const { say } = request;
  const title = say(label);
  const columns = heads.map((head) => say(head));
  const isEmpty = rows.every(({ figures }) => figures.every((figure) => figure === 0));
  const content: Content = isEmpty
    ? html`<p class="hint">${say(T.nothing)}</p>`
    : barTable(request, title, columns, rows);
  return html`<section class="card part figures"><h2>${title}</h2>${content}</section>`;
}

function readFigures({ request, reportDb }: Desk, { period, limit }: ReturnType<typeof readAsked>) {
  const { tenant } = request.context.front;
  return reportDb.moment(async (db) => {
    const context = createReportContext(
      { db, tenant, period, limit: Math.min(limit, 20) },
      request.texts.language,
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
  const { say, texts } = desk.request;
  const asked = readAsked(desk);
  const { from, to } = asked.period;
  const { all, dishes, left, missed } = await readFigures(desk, asked);
  // Texts that are not in the table, and those that were not kept.
  const others =
    missed.total_searches - missed.queries.reduce((sum, { searches }) => sum + searches, 0);
  const day = new Intl.DateTimeFormat(dateLocale(texts), {
    day: 'numeric',
    month: 'short',
    weekday: 'short',
    timeZone: 'UTC',
  });
  const name = (locale: string | null) =>
    locale !== null && isLocale(locale) ? LANGUAGE_NAMES[locale] : say(T.other);
  const byDay = all.by_day.map(({ date, visitors }) => ({
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
    label: say(allergens.names[key as (typeof allergens.keys)[number]]),
    figures: [uses],
  }));
  const bySearch = [
    ...missed.queries.map(({ query, searches }) => ({ label: query, figures: [searches] })),
    ...(others > 0 ? [{ label: say(T.otherTexts), figures: [others] }] : []),
  ];
  const content = html`<div class="opening"><h1>${say(T.title)}</h1>
<p class="intro">${say(T.totals, all.totals as unknown as Record<string, number>)}</p></div>
${asked.isWrong && notice('bad', say(T.badPeriod))}
<form class="search period" method="get" action="/admin/statistics">
${input({ name: 'from', label: say(T.from), type: 'date', value: from })}
${input({ name: 'to', label: say(T.to), type: 'date', value: to })}
<button class="button">${say(T.show)}</button></form>
${part(desk, T.byDay, [T.day, T.visitors], byDay)}
${part(desk, T.byHour, [T.hour, T.visitors], byHour)}
${part(desk, T.dishes, [T.dish, T.views, T.visitors], byDish)}
${part(desk, T.languages, [T.language, T.visitors], byLanguage)}
${part(desk, T.allergens, [T.allergen, T.times], byAllergen)}
${part(desk, T.searches, [T.searched, T.times], bySearch)}`;
  return deskPage(desk, { title: say(T.title), content, place: 'statistics' });
}
