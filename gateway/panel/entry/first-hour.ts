import { theme } from '../../../db/schema/theme.ts';
import { listIn } from '../../../db/schema/values/row.ts';
import { findRecord } from '../../../db/sql/admin-records.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import { type Content, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { mayOpen } from '../permission.ts';

/** A menu with so many dishes needs no guide any more. */
const ENOUGH_DISHES = 5;

interface Step {
  text: TextKey;
  paths: readonly [path: string, ...TextKey[]][];
  isDone: boolean;
}

/** The five steps of a new house, with those that are done; nothing once it has its first dishes. */
export async function firstHour(desk: Desk, dishes: number): Promise<Content> {
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
