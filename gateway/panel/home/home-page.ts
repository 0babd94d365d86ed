import { shiftDay } from '../../../db/runtime/day.ts';
import { labels } from '../../../db/schema/field.ts';
import { countMenu } from '../../../db/sql/dishes.ts';
import { localTime } from '../../analytics/local-time.ts';
import { items } from '../../analytics/reports/items.ts';
import { readPeriod } from '../../analytics/reports/period.ts';
import { createReportContext } from '../../analytics/reports/report.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { deskPage } from '../pages/page.ts';
import { barTable } from '../statistics/bar-table.ts';
import { menuTexts } from '../texts/menu.ts';

const T = {
  title: labels('Oggi', 'Today', 'Aujourd’hui', 'Heute', 'Hoy'),
  live: labels(
    'Sul menù {dishes:c’è|ci sono} {dishes} {dishes:piatto|piatti} in {sections} {sections:sezione|sezioni}.',
    'There {dishes:is|are} {dishes} {dishes:dish|dishes} in {sections} {sections:section|sections} on the menu.',
    'La carte a {dishes} {dishes:plat|plats} dans {sections} {sections:section|sections}.',
    'Auf der Karte {dishes:steht|stehen} {dishes} {dishes:Gericht|Gerichte} in {sections} {sections:Bereich|Bereichen}.',
    'En la carta hay {dishes} {dishes:plato|platos} en {sections} {sections:sección|secciones}.',
  ),
  see: labels('Guarda il menù', 'See the menu', 'Voir la carte', 'Karte ansehen', 'Ver la carta'),
  edit: labels(
    'Cambia il menù',
    'Change the menu',
    'Modifier la carte',
    'Karte ändern',
    'Cambiar la carta',
  ),
  todo: labels('Da sistemare', 'To do', 'À faire', 'Zu tun', 'Por hacer'),
  undeclared: labels(
    'Piatti senza allergeni dichiarati',
    'Dishes without declared allergens',
    'Plats sans allergènes déclarés',
    'Gerichte ohne Angabe der Allergene',
    'Platos sin alérgenos declarados',
  ),
  untranslated: labels(
    'Piatti da tradurre',
    'Dishes to translate',
    'Plats à traduire',
    'Zu übersetzende Gerichte',
    'Platos por traducir',
  ),
  soldOut: labels(
    'Piatti esauriti',
    'Dishes that are sold out',
    'Plats épuisés',
    'Ausverkaufte Gerichte',
    'Platos agotados',
  ),
  hidden: labels(
    'Piatti nascosti',
    'Hidden dishes',
    'Plats masqués',
    'Ausgeblendete Gerichte',
    'Platos ocultos',
  ),
  looked: labels(
    'I piatti più guardati negli ultimi sette giorni',
    'The most looked-at dishes of the last seven days',
    'Les plats les plus consultés des sept derniers jours',
    'Die meistangesehenen Gerichte der letzten sieben Tage',
    'Los platos más vistos de los últimos siete días',
  ),
  dish: labels('Piatto', 'Dish', 'Plat', 'Gericht', 'Plato'),
  views: labels('Volte', 'Views', 'Vues', 'Aufrufe', 'Vistas'),
  none: labels(
    'Nessuno ha ancora aperto un piatto in questi giorni.',
    'No guest has opened a dish in these days.',
    'Aucun client n’a ouvert de plat ces jours-ci.',
    'In diesen Tagen hat noch kein Gast ein Gericht geöffnet.',
    'Ningún cliente ha abierto un plato en estos días.',
  ),
};

const MOST_LOOKED_AT = 5;

async function mostLookedAt(desk: Desk) {
  const { request, session, reportDb, now } = desk;
  const { tenant } = request.context.front;
  const from = shiftDay(localTime(session.timezone, now()).day, -6);
  const { period } = readPeriod(`from=${from}`, session.timezone, now());
  return reportDb.moment((db) =>
    items(
      createReportContext({ db, tenant, period, limit: MOST_LOOKED_AT }, request.texts.language),
    ),
  );
}

/** `GET /admin`: what is on the menu, what is still to be done, and what guests look at. */
export async function showHome(desk: Desk): Promise<Answer> {
  const { db, request } = desk;
  const { say } = request;
  const [counts, looked] = await Promise.all([countMenu(db, request.tenantId), mostLookedAt(desk)]);
  const task = (text: Parameters<typeof say>[0], count: number, state: string): Html =>
    html`<li><a href="/admin/menu?state=${state}"><strong>${count}</strong> ${say(text)}</a></li>`;
  const rows = looked.items.map(({ name, views }) => ({ label: name, figures: [views] }));
  const content = html`<div class="opening"><h1>${say(T.title)}</h1></div>
<div class="tiles">
<section class="card"><h2>${request.brand.name}</h2>
<p class="live">${say(counts.sections === 0 ? menuTexts.empty : T.live, counts)}</p>
<div class="row"><a class="button main" href="/admin/menu">${say(T.edit)}</a><a class="button" href="/" target="_blank" rel="noopener">${say(T.see)}</a></div></section>
<section class="card"><h2>${say(T.todo)}</h2><ul class="tasks">
${task(T.undeclared, counts.undeclared, 'undeclared')}${task(T.untranslated, counts.untranslated, 'untranslated')}
${task(T.soldOut, counts.sold_out, 'sold-out')}${task(T.hidden, counts.hidden, 'hidden')}</ul></section>
</div>
<section class="card part figures"><h2>${say(T.looked)}</h2>
${rows.length === 0 ? html`<p class="hint">${say(T.none)}</p>` : barTable(request, say(T.looked), [say(T.dish), say(T.views)], rows)}</section>`;
  return deskPage(desk, { title: say(T.title), content, place: 'home' });
}
