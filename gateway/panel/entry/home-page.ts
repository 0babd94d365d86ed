import { shiftDay } from '../../../db/runtime/day.ts';
import { isWaiting, type Release } from '../../../db/schema/release.ts';
import { theme } from '../../../db/schema/theme.ts';
import { listIn } from '../../../db/schema/values/row.ts';
import { findRecord } from '../../../db/sql/admin-records.ts';
import { listReleases } from '../../../db/sql/releases.ts';
import { countSwitchedOff } from '../../../db/sql/webhooks.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import { localTime } from '../../analytics/local-time.ts';
import { items } from '../../analytics/reports/items.ts';
import { readPeriod } from '../../analytics/reports/period.ts';
import { createReportContext } from '../../analytics/reports/report.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { menuAddress, releasePath } from '../chosen-release.ts';
import { WEBHOOKS_PATH } from '../connections/webhooks-page.ts';
import type { Desk } from '../desk.ts';
import { barTable } from '../guests/statistics-page.ts';
import { countShownMenu } from '../menu/planned-menu.ts';
import { notice } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import { mayOpen } from '../permission.ts';
import { brokenPictures } from '../photos/broken-pictures.ts';
import { troubleTag } from '../releases/releases-page.ts';

/** A menu with so many dishes needs no guide any more. */
const ENOUGH_DISHES = 5;

interface Step {
  text: TextKey;
  paths: readonly [path: string, ...TextKey[]][];
  isDone: boolean;
}

/** The five steps of a new house, with those that are done; nothing once it has its first dishes. */
async function firstHour(desk: Desk, dishes: number): Promise<Content> {
  const { db, request, session, say, tenantId } = desk;
  const { brand } = request;
  if (dishes >= ENOUGH_DISHES || !mayOpen(session.role, '/admin/menu')) return null;
  const [house, look] = await Promise.all([
    findRecord(db, 'settings', tenantId, null),
    findRecord(db, 'theme', tenantId, null),
  ]);
  const colors = ['primary_color', 'background_color', 'layout_variant'] as const;
  const steps: Step[] = [
    {
      text: 'home.stepHouse',
      paths: [['/admin/restaurant']],
      isDone: listIn(house?.data.opening_hours).length > 0,
    },
    {
      text: 'home.stepLook',
      paths: [['/admin/appearance']],
      isDone: colors.some((name) => look?.data[name] !== theme.fields[name].options.default),
    },
    {
      text: 'home.stepDishes',
      paths: [['/admin/menu'], ['/admin/import', 'places.import']],
      isDone: dishes > 0,
    },
    {
      text: 'home.stepLanguages',
      paths: [['/admin/restaurant#f-supported_locales']],
      isDone: brand.locales.length > 1,
    },
    { text: 'home.stepQr', paths: [['/admin/qr']], isDone: false },
  ];
  const items = steps.map(({ text, paths, isDone }) => {
    const links = paths.map(
      ([path, name], at) => html`${at > 0 && ' · '}<a href="${path}">${say(name ?? text)}</a>`,
    );
    return html`<li class="${isDone && 'done'}">${links}${isDone && html` <span class="tag">${say('home.isDone')}</span>`}</li>`;
  });
  return html`<section class="card part"><h2>${say('home.firstHour')}</h2><ol class="steps">${items}</ol></section>`;
}

const MOST_LOOKED_AT = 5;

async function mostLookedAt(desk: Desk) {
  const { request, session, reportDb, now } = desk;
  const { tenant } = request.context.restaurant;
  const from = shiftDay(localTime(session.timezone, now()).day, -6);
  const { period } = readPeriod(`from=${from}`, session.timezone, now());
  return reportDb.moment((db) =>
    items(createReportContext({ db, tenant, period, limit: MOST_LOOKED_AT }, request.language)),
  );
}

/** The releases that do not fit the menu any more, or have failed. */
function troubledReleases(desk: Desk, releases: readonly Release[]): Content {
  const troubled = releases.filter(
    (one) => one.state === 'failed' || (isWaiting(one) && one.problems.length > 0),
  );
  if (troubled.length === 0) return null;
  const items = troubled.map(
    (one) => html`<li><a href="${releasePath(one)}">${one.name}</a> ${troubleTag(desk, one)}</li>`,
  );
  return html`<section class="card part"><h2>${desk.say('releases.homeTitle')}</h2><ul class="tasks">${items}</ul></section>`;
}

/** `GET /admin`: what is on the menu, what is still to be done, and what guests look at. */
export async function showHome(desk: Desk): Promise<Answer> {
  const { db, request, session, say, tenantId } = desk;
  const mayMend = mayOpen(session.role, WEBHOOKS_PATH);
  const [counts, looked, off] = await Promise.all([
    countShownMenu(desk),
    mostLookedAt(desk),
    mayMend ? countSwitchedOff(db, tenantId) : 0,
  ]);
  const task = (text: Parameters<typeof say>[0], count: number, state: string): Html =>
    html`<li><a href="/admin/menu?state=${state}"><strong>${count}</strong> ${say(text)}</a></li>`;
  const toWebhooks = html`<a href="${WEBHOOKS_PATH}">${say('home.toWebhooks')}</a>`;
  const rows = looked.items.map(({ name, views }) => ({ label: name, figures: [views] }));
  const content = html`${await firstHour(desk, counts.dishes)}
${troubledReleases(desk, await listReleases(db, tenantId))}
${off > 0 && notice('bad', say('home.webhooksOff', { n: off }), toWebhooks, false)}
${await brokenPictures(desk)}
<div class="tiles">
<section class="card"><h2>${request.brand.name}</h2>
<p class="live">${say(counts.sections === 0 ? 'menu.empty' : 'home.live', counts)}</p>
<div class="row"><a class="button main" href="/admin/menu">${say('home.edit')}</a><a class="button" href="${menuAddress(desk.chosen)}" target="_blank" rel="noopener">${say('home.see')}</a></div></section>
<section class="card"><h2>${say('home.todo')}</h2><ul class="tasks">
${task('home.undeclared', counts.undeclared, 'undeclared')}${task('home.untranslated', counts.untranslated, 'untranslated')}
${task('home.soldOut', counts.sold_out, 'sold-out')}${task('home.hidden', counts.hidden, 'hidden')}</ul></section>
</div>
<section class="card part figures"><h2>${say('home.looked')}</h2>
${rows.length === 0 ? html`<p class="hint">${say('home.none')}</p>` : barTable(request, say('home.looked'), [say('home.dish'), say('home.views')], rows)}</section>`;
  return titledPage(desk, { title: say('home.title'), content, place: 'home' });
}
