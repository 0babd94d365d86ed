import { labels } from '../../db/schema/field.ts';
import { type Html, html } from '../http/html.ts';
import type { PanelRequest } from './panel-request.ts';

/** The pages that the navigation leads to, in its order. */
export const PLACES = {
  home: { path: '/admin', label: labels('Oggi', 'Today', 'Aujourd’hui', 'Heute', 'Hoy') },
  menu: { path: '/admin/menu', label: labels('Menù', 'Menu', 'Carte', 'Speisekarte', 'Carta') },
  restaurant: {
    path: '/admin/restaurant',
    label: labels('Ristorante', 'Restaurant', 'Restaurant', 'Restaurant', 'Restaurante'),
  },
  appearance: {
    path: '/admin/appearance',
    label: labels('Aspetto', 'Appearance', 'Apparence', 'Aussehen', 'Apariencia'),
  },
  statistics: {
    path: '/admin/statistics',
    label: labels('Statistiche', 'Statistics', 'Statistiques', 'Statistik', 'Estadísticas'),
  },
  qr: {
    path: '/admin/qr',
    label: labels('Codice QR', 'QR code', 'Code QR', 'QR-Code', 'Código QR'),
  },
  print: {
    path: '/admin/print',
    label: labels('Stampa', 'Print', 'Impression', 'Drucken', 'Imprimir'),
  },
  import: {
    path: '/admin/import',
    label: labels('Importa', 'Import', 'Importer', 'Import', 'Importar'),
  },
  tokens: {
    path: '/admin/api-tokens',
    label: labels('Token', 'Tokens', 'Jetons', 'Token', 'Tokens'),
  },
} as const;
export type Place = keyof typeof PLACES;

const NAME = labels('Pagine', 'Pages', 'Pages', 'Seiten', 'Páginas');

/** @param current the page that is shown, or the one that it belongs to */
export function navigation({ say }: PanelRequest, current: Place | undefined): Html {
  const links = Object.entries(PLACES).map(([place, { path, label }]) => {
    const mark = place === current && html` aria-current="page"`;
    return html`<li><a href="${path}"${mark}>${say(label)}</a></li>`;
  });
  return html`<nav class="places" aria-label="${say(NAME)}"><ul>${links}</ul></nav>`;
}
