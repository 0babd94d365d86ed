import type { Role } from '../../db/schema/role.ts';
import { type Html, html } from '../http/html.ts';
import type { PanelRequest } from './panel-request.ts';
import { mayOpen } from './permission.ts';

/** The pages that the navigation leads to, in its order. */
export const PLACES = {
  home: { path: '/admin', label: 'places.home' },
  menu: { path: '/admin/menu', label: 'places.menu' },
  restaurant: {
    path: '/admin/restaurant',
    label: 'places.restaurant',
  },
  translations: { path: '/admin/translations', label: 'places.translations' },
  photos: {
    path: '/admin/photos',
    label: 'places.photos',
  },
  appearance: {
    path: '/admin/appearance',
    label: 'places.appearance',
  },
  statistics: {
    path: '/admin/statistics',
    label: 'places.statistics',
  },
  qr: {
    path: '/admin/qr',
    label: 'places.qr',
  },
  screens: { path: '/admin/screens', label: 'places.screens' },
  print: {
    path: '/admin/print',
    label: 'places.print',
  },
  releases: { path: '/admin/releases', label: 'places.releases' },
  history: {
    path: '/admin/history',
    label: 'places.history',
  },
  import: {
    path: '/admin/import',
    label: 'places.import',
  },
  tokens: {
    path: '/admin/api-tokens',
    label: 'places.tokens',
  },
  webhooks: { path: '/admin/webhooks', label: 'places.webhooks' },
  service: { path: '/admin/service', label: 'places.service' },
  people: { path: '/admin/people', label: 'places.people' },
} as const;
export type Place = keyof typeof PLACES;

const NAME = 'navigation.title';

/** @param current the page that is shown, or the one that it belongs to */
export function navigation({ say }: PanelRequest, current: Place | undefined, role: Role): Html {
  const places = Object.entries(PLACES).filter(([, { path }]) => mayOpen(role, path));
  const links = places.map(([place, { path, label }]) => {
    const mark = place === current && html` aria-current="page"`;
    return html`<li><a href="${path}"${mark}>${say(label)}</a></li>`;
  });
  return html`<nav class="places" aria-label="${say(NAME)}"><ul>${links}</ul></nav>`;
}
