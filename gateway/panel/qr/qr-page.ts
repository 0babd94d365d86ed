import { labels } from '../../../db/schema/field.ts';
import { type Answer, createAnswer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { deskPage } from '../pages/page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { LANGUAGE_NAMES } from '../texts/choose.ts';
import { qrPng, qrSvg } from './qr-image.ts';

const T = {
  title: labels('Codice QR', 'QR code', 'Code QR', 'QR-Code', 'Código QR'),
  intro: labels(
    'Porta gli ospiti al menù. Resta lo stesso, qualunque cosa cambi sul menù.',
    'It leads guests to the menu. It stays the same whatever changes on the menu.',
    'Il mène les clients à la carte. Il reste le même, même si la carte change.',
    'Er führt Gäste zur Karte. Er bleibt gleich, was auch immer sich auf der Karte ändert.',
    'Lleva a los clientes a la carta. No cambia, aunque cambie la carta.',
  ),
  svg: labels(
    'Scarica come SVG',
    'Download as SVG',
    'Télécharger en SVG',
    'Als SVG laden',
    'Descargar como SVG',
  ),
  png: labels(
    'Scarica come PNG',
    'Download as PNG',
    'Télécharger en PNG',
    'Als PNG laden',
    'Descargar como PNG',
  ),
  sheet: labels(
    'Foglio per i tavoli',
    'Sheet for the tables',
    'Feuille pour les tables',
    'Blatt für die Tische',
    'Hoja para las mesas',
  ),
  sheetHint: labels(
    'Stampa questa pagina dal browser: sulla carta escono solo i cartoncini, da ritagliare.',
    'Print this page from the browser: only the cards come out on paper, to be cut out.',
    'Imprimez cette page depuis le navigateur : seules les cartes à découper sortent sur le papier.',
    'Drucken Sie diese Seite im Browser: Auf dem Papier sind nur die Kärtchen zum Ausschneiden.',
    'Imprime esta página desde el navegador: en el papel salen solo las tarjetas para recortar.',
  ),
  scan: labels('Il nostro menù', 'Our menu', 'Notre carte', 'Unsere Karte', 'Nuestra carta'),
  print: labels('Stampa', 'Print', 'Impression', 'Drucken', 'Imprimir'),
  printIntro: labels(
    'Il menù si stampa dalla sua pagina, sempre aggiornato: aprilo nella lingua che vuoi e scegli «Stampa» nel browser.',
    'The menu is printed from its own page, always up to date: open it in the language you want and choose “Print” in the browser.',
    'La carte s’imprime depuis sa page, toujours à jour : ouvrez-la dans la langue voulue et choisissez « Imprimer » dans le navigateur.',
    'Die Karte wird von ihrer Seite gedruckt, immer aktuell: Öffnen Sie sie in der gewünschten Sprache und wählen Sie „Drucken“ im Browser.',
    'La carta se imprime desde su página, siempre al día: ábrela en el idioma que quieras y elige «Imprimir» en el navegador.',
  ),
};

const CARDS = 6;

/** The address to which codes lead. */
function menuAddress({ context, secure }: PanelRequest): string {
  return `${secure ? 'https' : 'http'}://${context.host.toLowerCase()}/`;
}

/** `GET /admin/qr`: the code to download, and a sheet of cards to print. */
export async function showQr(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const { say, brand } = request;
  const address = menuAddress(request);
  const shown = address.replace(/^https?:\/\/|\/$/g, '');
  const card = html`<li><p class="name">${brand.name}</p><img src="/admin/qr.svg" alt="" width="200" height="200"><p>${say(T.scan)}</p><p class="hint">${shown}</p></li>`;
  const content = html`<div class="opening"><h1>${say(T.title)}</h1><p class="intro">${say(T.intro)}</p></div>
<section class="card part code"><img src="/admin/qr.svg" alt="${say(T.title)}: ${address}" width="240" height="240">
<p><a href="${address}">${shown}</a></p>
<div class="row"><a class="button main" href="/admin/qr.png" download="menu.png">${say(T.png)}</a><a class="button" href="/admin/qr.svg" download="menu.svg">${say(T.svg)}</a></div></section>
<section class="card part"><h2>${say(T.sheet)}</h2><p class="hint">${say(T.sheetHint)}</p>
<ul class="sheet">${Array.from({ length: CARDS }, () => card)}</ul></section>`;
  return deskPage(desk, { title: say(T.title), content, place: 'qr' });
}

/** `GET /admin/qr.svg` and `/admin/qr.png` */
export async function sendQr({ request }: Desk): Promise<Answer> {
  const isPng = request.context.path.endsWith('.png');
  const address = menuAddress(request);
  const headers = {
    'Content-Type': isPng ? 'image/png' : 'image/svg+xml',
    'X-Content-Type-Options': 'nosniff',
  };
  const body = isPng ? qrPng(address) : qrSvg(address);
  return createAnswer('200 OK', 'no-store', headers, body);
}

/** `GET /admin/print`: the menu's page in each language, which is made for paper too. */
export async function showPrint(desk: Desk): Promise<Answer> {
  const { say, brand } = desk.request;
  const links = brand.locales.map(
    (locale) =>
      html`<a class="button" href="/?lang=${locale}" target="_blank" rel="noopener" lang="${locale}">${LANGUAGE_NAMES[locale]}</a>`,
  );
  const title = say(T.print);
  const content = html`<div class="opening"><h1>${title}</h1><p class="intro">${say(T.printIntro)}</p></div>
<section class="card part"><div class="row">${links}</div></section>`;
  return deskPage(desk, { title, content, place: 'print' });
}
