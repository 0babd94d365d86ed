import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { choiceBoxes, languageOptions, select } from '../forms/inputs.ts';
import { titledPage } from '../pages/page.ts';
import { readSections, sectionName } from '../writes/move.ts';

/** Sizes of the type on paper, and the sheets, as the menu's page knows them. */
const TYPE_SIZES = ['small', 'normal', 'large', 'huge'] as const;
const SHEET_SIZES = ['a4', 'fold', 'a5', 'a6', 'letter'] as const;

/** The paper that the address of the page asks for. */
function readPaper({ request }: Desk) {
  const query = new URLSearchParams(request.context.query);
  const { defaultLocale } = request.context.restaurant.tenant;
  const lang = request.brand.locales.find((one) => one === query.get('lang')) ?? defaultLocale;
  return {
    lang,
    type: TYPE_SIZES.find((one) => one === query.get('type')) ?? 'normal',
    size: SHEET_SIZES.find((one) => one === query.get('size')) ?? 'a4',
    print: query.getAll('print').flatMap((id) => parseRecordId(id) ?? []),
  };
}

/** `GET /admin/print`: the sheets as they will be, with a button that prints them. */
export async function showPrint(desk: Desk): Promise<Answer> {
  const { say, brand } = desk.request;
  const { lang, type, size, print } = readPaper(desk);
  const types = TYPE_SIZES.map((value) => ({ value, label: say(`printing.${value}`) }));
  const sheets = SHEET_SIZES.map((value) => ({ value, label: say(`printing.sheets.${value}`) }));
  // A section stands with all that is in it, and no hidden one is printed.
  const top = (await readSections(desk)).filter(
    ({ depth, section }) => depth === 0 && section.is_active,
  );
  const sections = top.map((placed) => {
    return { value: String(placed.section.id), label: sectionName(desk, placed) };
  });
  const chosen = print.length === 0 ? sections.map(({ value }) => value) : print.map(String);
  const query = new URLSearchParams({ lang, type, size });
  for (const id of print) query.append('print', String(id));
  const title = say('qr.print');
  const content = html`<form class="card part" method="get" action="/admin/print">
<div class="row">${select({ name: 'lang', label: say('statistics.language'), value: lang }, languageOptions(brand.locales))}
${select({ name: 'size', label: say('printing.sheet'), value: size }, sheets)}${select({ name: 'type', label: say('printing.size'), value: type }, types)}</div>
${sections.length > 1 && html`<details class="field"><summary>${say('menu.sections')}</summary>${choiceBoxes('print', sections, chosen)}</details>`}
<p class="row"><button class="button">${say('service.show')}</button></p>
</form>
<section class="card part paper" aria-label="${say('printing.preview')}">
<p class="row"><a class="button main" href="/?paper=now&amp;${query.toString()}" target="_blank" rel="noopener" data-print="paper">${title}</a></p>
<div class="paper-view ${size}"><iframe id="paper" title="${say('printing.preview')}" src="/?paper=show&amp;${query.toString()}"></iframe></div>
</section>`;
  const head = { title, intro: say('qr.printIntro') };
  return titledPage(desk, { ...head, content, place: 'print', hasFrame: true });
}
