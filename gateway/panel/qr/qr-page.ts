import { LANGUAGE_NAMES } from '../../../db/schema/locale.ts';
import { type Answer, createAnswer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { deskPage } from '../pages/page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { qrPng, qrSvg } from './qr-image.ts';

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
  const card = html`<li><p class="name">${brand.name}</p><img src="/admin/qr.svg" alt="" width="200" height="200"><p>${say('qr.scan')}</p><p class="hint">${shown}</p></li>`;
  const content = html`<div class="opening"><h1>${say('qr.title')}</h1><p class="intro">${say('qr.intro')}</p></div>
<section class="card part code"><img src="/admin/qr.svg" alt="${say('qr.title')}: ${address}" width="240" height="240">
<p><a href="${address}">${shown}</a></p>
<div class="row"><a class="button main" href="/admin/qr.png" download="menu.png">${say('qr.png')}</a><a class="button" href="/admin/qr.svg" download="menu.svg">${say('qr.svg')}</a></div></section>
<section class="card part"><h2>${say('qr.sheet')}</h2><p class="hint">${say('qr.sheetHint')}</p>
<ul class="sheet">${Array.from({ length: CARDS }, () => card)}</ul></section>`;
  return deskPage(desk, { title: say('qr.title'), content, place: 'qr' });
}

/** `GET /admin/qr.svg` and `/admin/qr.png` */
export async function sendQr({ request }: Desk): Promise<Answer> {
  const isPng = request.context.path.endsWith('.png');
  const address = menuAddress(request);
  const headers = {
    'Content-Type': isPng ? 'image/png' : 'image/svg+xml',
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
  const title = say('qr.print');
  const content = html`<div class="opening"><h1>${title}</h1><p class="intro">${say('qr.printIntro')}</p></div>
<section class="card part"><div class="row">${links}</div></section>`;
  return deskPage(desk, { title, content, place: 'print' });
}
