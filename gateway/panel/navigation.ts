import { entriesOf, keysOf } from '../../db/runtime/keys.ts';
import type { Session } from '../../db/sql/sessions.ts';
import type { TextKey } from '../../db/texts/catalogues.ts';
import { type Html, html } from '../http/html.ts';
import type { PanelRequest } from './panel-request.ts';
import { mayOpen } from './permission.ts';

/** The pages that the navigation leads to, in its order. */
export const PLACES = {
  home: { path: '/admin', label: 'places.home' },
  menu: { path: '/admin/menu', label: 'places.menu' },
  service: { path: '/admin/service', label: 'places.service' },
  photos: { path: '/admin/photos', label: 'places.photos', group: 'tools' },
  translations: { path: '/admin/translations', label: 'places.translations', group: 'tools' },
  releases: { path: '/admin/releases', label: 'places.releases', group: 'tools' },
  checklist: { path: '/admin/checklist', label: 'places.checklist', group: 'tools' },
  history: { path: '/admin/history', label: 'places.history', group: 'tools' },
  import: { path: '/admin/import', label: 'places.import', group: 'tools' },
  exchange: { path: '/admin/exchange', label: 'places.exchange', group: 'tools' },
  hours: { path: '/admin/restaurant#f-opening_hours', label: 'places.hours', group: 'look' },
  restaurant: { path: '/admin/restaurant', label: 'places.restaurant', group: 'look' },
  appearance: { path: '/admin/appearance', label: 'places.appearance', group: 'look' },
  print: { path: '/admin/print', label: 'places.print', group: 'look' },
  qr: { path: '/admin/qr', label: 'places.qr', group: 'look' },
  chain: { path: '/admin/chain', label: 'places.chain', group: 'house' },
  screens: { path: '/admin/screens', label: 'places.screens', group: 'house' },
  people: { path: '/admin/people', label: 'places.people', group: 'house' },
  statistics: { path: '/admin/statistics', label: 'places.statistics', group: 'house' },
  tokens: { path: '/admin/api-tokens', label: 'places.tokens', group: 'technical' },
  webhooks: { path: '/admin/webhooks', label: 'places.webhooks', group: 'technical' },
  hosts: { path: '/admin/hosts', label: 'places.hosts', group: 'technical' },
} as const;
export type Place = keyof typeof PLACES;

/** The groups of the other pages, in their order. */
const GROUPS = {
  tools: 'navigation.tools',
  look: 'navigation.look',
  house: 'navigation.house',
  technical: 'navigation.technical',
} as const;
type Group = keyof typeof GROUPS;
type Entry = [place: Place, entry: { path: string; label: TextKey; group?: Group }];

const NAME = 'navigation.title';

/**
 * The pages that somebody opens: those of each day in one line, and the others in groups that open
 * without script.
 *
 * @param current the page that is shown, or the one that it belongs to
 */
export function navigation(
  { say }: PanelRequest,
  current: Place | undefined,
  { role, in_chain: isInChain }: Pick<Session, 'role' | 'in_chain'>,
): Html {
  const places = entriesOf<Place, Entry[1]>(PLACES).filter(
    ([place, { path }]) => mayOpen(role, path) && (place !== 'chain' || isInChain),
  );
  const link = ([place, { path, label }]: Entry) => {
    const mark = place === current && html` aria-current="page"`;
    return html`<li><a href="${path}"${mark}>${say(label)}</a></li>`;
  };
  const alone = places.filter(([, { group }]) => group === undefined).map(link);
  const groups = keysOf(GROUPS).map((name) => {
    const own = places.filter(([, { group }]) => group === name);
    return (
      own.length > 0 &&
      html`<li class="group"><p>${say(GROUPS[name])}</p><ul>${own.map(link)}</ul></li>`
    );
  });
  const isBelow = places.some(([place, { group }]) => place === current && group !== undefined);
  const here = isBelow && html` class="current"`;
  const more =
    places.some(([, { group }]) => group !== undefined) &&
    html`<li><details name="places"><summary${here}>${say('navigation.more')}</summary><ul>${groups}</ul></details></li>`;
  return html`<nav class="places" aria-label="${say(NAME)}"><ul>${alone}${more}</ul></nav>`;
}

/** Whether an address is one of the panel's pages, perhaps with a query, and leads nowhere else. */
export function isPanelPath(path: string): boolean {
  return /^\/admin(\/[\w-]+)*(\?[!-~]*)?$/.test(path);
}

/** The address of the page that a request asks for. */
export function addressOf({ path, query }: { path: string; query: string }): string {
  return query === '' ? path : `${path}?${query}`;
}
