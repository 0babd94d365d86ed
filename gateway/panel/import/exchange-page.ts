import { type ExportedMenu, exportTo } from '../../../db/exchange/export-menu.ts';
import { writeJson } from '../../../db/runtime/write-json.ts';
import { EXPORT_TARGETS, type ExportTarget } from '../../../db/schema/exchange-report.ts';
import { isLocale } from '../../../db/schema/values/locale.ts';
import { localTime } from '../../analytics/local-time.ts';
import { type Answer, createAnswer, JSON_TYPE } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { pageQuery, parseQuery } from '../../http/query.ts';
import type { Desk } from '../desk.ts';
import { input, languageOptions, select } from '../forms/inputs.ts';
import { titledPage } from '../pages/page.ts';
import { IMPORT_PATH } from './import-page.ts';
import { reportView } from './report-view.ts';

export const EXCHANGE_PATH = '/admin/exchange';
export const EXCHANGE_FILE_PATH = `${EXCHANGE_PATH}/export`;

type Asked = ReturnType<typeof readAsked>;

/** A rate as people write it; null for what is none. */
function rateOf(text: string): number | null {
  const rate = Number(text.replace(',', '.'));
  return text !== '' && rate >= 0 && rate <= 100 ? rate : null;
}

function readAsked({ request }: Desk) {
  const asked = parseQuery(pageQuery(request.context));
  const locale = asked.get('locale') ?? '';
  return {
    /** Null before a service is chosen. */
    target: EXPORT_TARGETS.find((one) => one === asked.get('format')) ?? null,
    locale: isLocale(locale) ? locale : null,
    vatFood: (asked.get('vat_food') ?? '').slice(0, 8),
    vatDrinks: (asked.get('vat_drinks') ?? '').slice(0, 8),
  };
}

function exportMenu(desk: Desk, asked: Asked & { target: ExportTarget }): Promise<ExportedMenu> {
  const { request, reportDb, originOf, now, tenantId } = desk;
  const options = {
    ...{
      at: new Date(now()),
      locale: asked.locale,
      origin: originOf(request.context.restaurant.tenant),
    },
    ...{ vatFood: rateOf(asked.vatFood), vatDrinks: rateOf(asked.vatDrinks) },
  };
  return reportDb.moment((tx) => exportTo(tx, tenantId, asked.target, options));
}

/** The form in which a service is chosen. It asks by its address, so that it can be kept. */
function chooseForm({ request, say }: Desk, { target, locale, vatFood, vatDrinks }: Asked): Html {
  const { brand } = request;
  const targets = EXPORT_TARGETS.map((value) => {
    return { value, label: say(`exchange.targets.${value}`) };
  });
  const own = { value: '', label: say('exchange.ownLanguage') };
  const rate = (name: string, label: string, value: string) =>
    input({ name, label, value, inputmode: 'decimal' });
  return html`<form method="get" action="${EXCHANGE_PATH}">
${select({ name: 'format', label: say('exchange.choose'), value: target ?? 'google' }, targets)}
${select({ name: 'locale', label: say('exchange.language'), value: locale ?? '' }, [own, ...languageOptions(brand.locales)])}
<details${vatFood + vatDrinks !== '' && html` open`}><summary>${say('exchange.vat')}</summary><p class="hint">${say('exchange.vatHint')}</p>
${rate('vat_food', say('exchange.vatFood'), vatFood)}${rate('vat_drinks', say('exchange.vatDrinks'), vatDrinks)}</details>
<div class="row"><button class="main">${say('exchange.show')}</button></div></form>`;
}

/** The report on what a service gets, with the link to its document. */
async function exportPart(desk: Desk, asked: Asked): Promise<Content> {
  const { target } = asked;
  if (target === null) return null;
  const { say, context } = desk.request;
  const { report } = await exportMenu(desk, { ...asked, target });
  const file = `${EXCHANGE_FILE_PATH}?${pageQuery(context)}`;
  return html`<section class="card part summary"><h2>${say(`exchange.targets.${target}`)}</h2>
<p>${say('exchange.sent', { n: report.sent })}</p>
<p class="row"><a class="button main" href="${file}" download>${say('exchange.download')}</a></p>
${reportView(say, report)}</section>`;
}

/** `GET /admin/exchange`: the menu for other services, with what each of them cannot have. */
export async function showExchange(desk: Desk): Promise<Answer> {
  const { say } = desk;
  const asked = readAsked(desk);
  const content = html`<div class="editor"><section class="card part">${chooseForm(desk, asked)}</section>
${await exportPart(desk, asked)}
<section class="card part"><h2>${say('exchange.bringTitle')}</h2><p class="hint">${say('exchange.bringHint')}</p>
<p class="row"><a class="button" href="${IMPORT_PATH}">${say('exchange.bring')}</a></p></section></div>`;
  const head = { title: say('exchange.title'), intro: say('exchange.intro') };
  return titledPage(desk, { ...head, content, place: 'exchange' });
}

/** `GET /admin/exchange/export`: the document of a service, as it is sent there. */
export async function sendExchange(desk: Desk): Promise<Answer> {
  const { request, session, now } = desk;
  const asked = readAsked(desk);
  const target = asked.target ?? 'google';
  const { document } = await exportMenu(desk, { ...asked, target });
  const { day } = localTime(session.timezone, now());
  const name = `${request.context.restaurant.tenant.slug}-${target}-${day}.json`;
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  return createAnswer('200 OK', 'no-store', headers, await writeJson(document));
}
