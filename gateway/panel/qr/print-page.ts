import { LANGUAGE_NAMES } from '../../../db/schema/locale.ts';
import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { choiceInput, optionList } from '../forms/inputs.ts';
import { readSections, sectionName } from '../order/section-tree.ts';
import { deskPage } from '../pages/page.ts';

/** Sizes of the type on paper, as the menu's page knows them. */
export const TYPE_SIZES = ['small', 'normal', 'large', 'huge'] as const;

/** `GET /admin/print`: the menu's page as it is printed, in a language, a size of type, and sections. */
export async function showPrint(desk: Desk): Promise<Answer> {
  const { say, brand } = desk.request;
  const { defaultLocale } = desk.request.context.front.tenant;
  const languages = brand.locales.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
  const sizes = TYPE_SIZES.map((value) => ({ value, label: say(`printing.${value}`) }));
  // A section stands with all that is in it.
  const top = (await readSections(desk)).filter(({ depth }) => depth === 0);
  const boxes = top.map((placed) =>
    choiceInput('checkbox', {
      ...{ name: 'print', value: String(placed.section.id), checked: true },
      label: sectionName(desk, placed),
    }),
  );
  const title = say('qr.print');
  const content = html`<div class="opening"><h1>${title}</h1><p class="intro">${say('qr.printIntro')}</p></div>
<form class="card part" method="get" action="/" target="_blank">
<div class="row"><div class="field"><label for="lang">${say('statistics.language')}</label><select id="lang" name="lang">${optionList(languages, defaultLocale)}</select></div>
<div class="field"><label for="type">${say('printing.size')}</label><select id="type" name="type">${optionList(sizes, 'normal')}</select></div></div>
${boxes.length > 1 && html`<fieldset class="field"><legend>${say('menu.sections')}</legend><div class="choices">${boxes}</div></fieldset>`}
<p class="row"><button class="button main">${say('printing.open')}</button></p>
</form>`;
  return deskPage(desk, { title, content, place: 'print' });
}
