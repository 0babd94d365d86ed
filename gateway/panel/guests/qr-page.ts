import { isLocale } from '../../../db/schema/values/locale.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import {
  isPanelLanguage,
  PANEL_LANGUAGES,
  type PanelLanguage,
  type TextKey,
} from '../../../db/texts/catalogues.ts';
import { sayIn } from '../../../db/texts/say.ts';
import { qrModules } from '../../display/qr-code.ts';
import { type Answer, createAnswer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { writePng } from '../../http/png.ts';
import { type Desk, homeOrigin } from '../desk.ts';
import { input, languageOptions, select } from '../forms/inputs.ts';
import { copyField } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import { readSections, sectionOptions } from '../writes/move.ts';

/** Pixels of a module in a PNG: a code on paper stays sharp. */
const SCALE = 24;

/** A QR code as a file that draws sharp at any size. */
export function qrSvg(text: string): Buffer {
  const rows = qrModules(text);
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const size = rows.length;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}"/></svg>`,
  );
}

/** A QR code as a PNG of black and white pixels, one bit each. */
function qrPng(text: string): Buffer {
  const rows = qrModules(text);
  const size = rows.length * SCALE;
  const stride = 1 + Math.ceil(size / 8);
  const lines = rows.flatMap((row) => {
    const line = Buffer.alloc(stride, 0xff);
    line[0] = 0;
    for (let x = 0; x < size; x += 1) {
      const at = 1 + (x >> 3);
      if (row[Math.floor(x / SCALE)]) line[at] = (line[at] ?? 0) & ~(0x80 >> (x & 7));
    }
    return Array.from({ length: SCALE }, () => line);
  });
  return writePng(size, { bits: 1, palette: null }, Buffer.concat(lines));
}

/** How cards lie on a sheet of A4, and how many of them. */
const FORMS = { cards: 6, a6: 4, tent: 1 } as const;
type CardForm = keyof typeof FORMS;
const FORM_NAMES = ['cards', 'a6', 'tent'] as const satisfies readonly CardForm[];

const MOST_TABLES = 120;

type Wanted = ReturnType<typeof readWanted>;

function readTable(text: string | null): number {
  const table = /^\d{1,4}$/.test(text ?? '') ? Number(text) : 0;
  return Math.max(0, table);
}

/** The second language of the cards; null for none. */
function readSecond({ request }: Desk): PanelLanguage | null {
  const also = new URLSearchParams(request.context.query).get('also') ?? '';
  return isPanelLanguage(also) && also !== request.language ? also : null;
}

/** The codes that somebody wants: of the whole menu, of a language, of a section, for tables. */
function readWanted({ request }: Desk) {
  const query = new URLSearchParams(request.context.query);
  const locale = query.get('lang') ?? '';
  const [first, last] = [readTable(query.get('first')), readTable(query.get('last'))];
  const end = Math.min(Math.max(first, last), first + MOST_TABLES - 1);
  return {
    locale: isLocale(locale) && request.brand.locales.includes(locale) ? locale : null,
    section: parseRecordId(query.get('section') ?? ''),
    form: FORM_NAMES.find((one) => one === query.get('form')) ?? 'cards',
    /** The first and the last table; null for cards without a number. */
    tables: first > 0 ? ([first, end] as const) : null,
  };
}

/** The address to which codes lead. */
function menuAddress(desk: Pick<Desk, 'request' | 'originOf'>, { locale, section }: Wanted) {
  const query = locale === null ? '' : `?lang=${locale}`;
  const place = section === null ? '' : `#section-${section}`;
  return `${homeOrigin(desk)}/${query}${place}`;
}

/** The query of a code's files. */
function fileQuery({ locale, section }: Wanted): string {
  const query = new URLSearchParams();
  if (locale !== null) query.set('lang', locale);
  if (section !== null) query.set('section', String(section));
  return query.size > 0 ? `?${query}` : '';
}

function numbersOf({ tables, form }: Wanted): (number | null)[] {
  if (!tables) return Array.from({ length: FORMS[form] }, () => null);
  const [first, last] = tables;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The form that chooses what codes lead to. */
async function wantedForm(desk: Desk, { locale, section, tables, form }: Wanted): Promise<Html> {
  const { say, brand, language } = desk.request;
  const sections = sectionOptions(desk, await readSections(desk));
  const seconds = languageOptions(PANEL_LANGUAGES.filter((one) => one !== language));
  const forms = FORM_NAMES.map((value) => ({ value, label: say(`qr.forms.${value}`) }));
  const none = (text: TextKey) => ({ value: '', label: say(text) });
  const field = (name: string, label: TextKey, value: unknown) => {
    return { name, label: say(label), value: String(value ?? ''), inputmode: 'numeric' as const };
  };
  return html`<form class="row qr-choice" method="get" action="/admin/qr">
${select(field('lang', 'statistics.language', locale), [none('qr.any'), ...languageOptions(brand.locales)])}
${select(field('section', 'records.section', section), [none('qr.wholeMenu'), ...sections])}
${select(field('also', 'qr.also', readSecond(desk)), [none('editor.none'), ...seconds])}
${select(field('form', 'qr.form', form), forms)}
${input(field('first', 'qr.firstTable', tables?.[0]))}${input(field('last', 'qr.lastTable', tables?.[1]))}
<button class="button">${say('service.show')}</button></form>`;
}

/** `GET /admin/qr`: codes to download, and sheets of cards to print. */
export async function showQr(desk: Desk): Promise<Answer> {
  const { say, brand } = desk.request;
  const wanted = readWanted(desk);
  const address = menuAddress(desk, wanted);
  const shown = address.replace(/^https?:\/\/|\/$/g, '');
  const files = fileQuery(wanted);
  const second = readSecond(desk);
  const face = (table: number | null): Content => html`<p class="name">${brand.name}</p>
<img src="/admin/qr.svg${files}" alt="" width="200" height="200"><p>${say('qr.scan')}</p>${second && html`<p lang="${second}">${sayIn(second)('qr.scan')}</p>`}
${table !== null && html`<p class="table">${say('qr.table', { n: String(table) })}</p>`}
<p class="hint">${shown}</p>`;
  // A tent stands on the table: the same is read from both sides.
  const card = (table: number | null) =>
    wanted.form === 'tent'
      ? html`<li><div class="face back" aria-hidden="true">${face(table)}</div><div class="face">${face(table)}</div></li>`
      : html`<li>${face(table)}</li>`;
  const content = html`<section class="card part"><h2>${say('qr.choose')}</h2>${await wantedForm(desk, wanted)}</section>
<section class="card part code"><img src="/admin/qr.svg${files}" alt="${say('qr.title')}: ${address}" width="240" height="240">
<p><a href="${address}">${shown}</a></p>${copyField(say, 'menu-link', say('qr.title'), address)}
<div class="row"><a class="button main" href="/admin/qr.png${files}" download="menu.png">${say('qr.png')}</a><a class="button" href="/admin/qr.svg${files}" download="menu.svg">${say('qr.svg')}</a></div></section>
<section class="card part"><h2>${say('qr.sheet')}</h2><p class="hint">${say('qr.sheetHint')}</p>
<p class="row"><button type="button" class="button main" data-print="page" hidden>${say('qr.print')}</button></p>
<ul class="sheet ${wanted.form}">${numbersOf(wanted).map(card)}</ul></section>`;
  return titledPage(desk, { title: say('qr.title'), intro: say('qr.intro'), content, place: 'qr' });
}

/** `GET /admin/qr.svg` and `/admin/qr.png` */
export async function sendQr(desk: Desk): Promise<Answer> {
  const isPng = desk.request.context.path.endsWith('.png');
  const address = menuAddress(desk, readWanted(desk));
  const headers = { 'Content-Type': isPng ? 'image/png' : 'image/svg+xml' };
  const body = isPng ? qrPng(address) : qrSvg(address);
  return createAnswer('200 OK', 'no-store', headers, body);
}
