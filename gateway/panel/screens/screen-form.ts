import { sayBroken } from '../../../db/schema/error-sentences.ts';
import type { ScreenSettings } from '../../../db/schema/screen.ts';
import type { FieldErrors } from '../../../db/schema/validation/rule.ts';
import { LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import type { Screen } from '../../../db/sql/screens.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import type { Form } from '../form.ts';
import { choiceInput, group, input, select } from '../forms/inputs.ts';
import { momentElement } from '../pages/moment.ts';
import { readSections, sectionOptions } from '../writes/move.ts';

/** The state of a screen as a word in a box. */
export function screenState({ request }: Desk, { state }: Screen): Html {
  const kind = state === 'here' ? 'active' : 'due';
  return html`<span class="state ${kind}">${request.say(`screens.${state}`)}</span>`;
}

/** When it was seen last, or since when it is away, what it shows, and how large it is. */
export function screenFacts(desk: Desk, screen: Screen, latest: number): Html {
  const { say } = desk.request;
  const { state, version, width, height, last_seen_at } = screen;
  const fact = (label: string, value: Content) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const shown =
    version === latest
      ? say('screens.current')
      : say('screens.behind', { version: version ?? 0, latest });
  const since = say(state === 'here' ? 'screens.lastSeen' : 'screens.awaySince');
  return html`<dl class="facts">
    ${fact(since, momentElement(desk, new Date(last_seen_at)))}
    ${version !== null && fact(say('screens.version'), shown)}
    ${width !== null && height !== null && fact(say('screens.size'), `${width} × ${height}`)}
  </dl>`;
}

type Lists = 'section_ids' | 'languages';
/** The settings of a screen as a form has them. */
export type ScreenDraft = Record<Lists, readonly string[]> &
  Record<Exclude<keyof ScreenSettings, Lists>, string>;

/** The settings that a form was sent with. */
export function readScreenDraft(form: Form): ScreenDraft {
  return {
    name: form.text('name'),
    section_ids: form.list('section_ids'),
    languages: form.list('languages'),
    page_seconds: form.text('page_seconds'),
    columns: form.text('columns'),
    orientation: form.text('orientation'),
    text_size: form.text('text_size') || 'normal',
    hide_sold_out: form.text('hide_sold_out') || '0',
    tells_away: form.text('tells_away') || '0',
    part: form.text('part'),
    parts: form.text('parts'),
  };
}

const ORIENTATION_TEXTS: readonly (readonly [value: string, text: TextKey])[] = [
  ['auto', 'screens.auto'],
  ['landscape', 'screens.landscape'],
  ['portrait', 'screens.portrait'],
  ['portrait_left', 'screens.portraitLeft'],
];
const SIZE_TEXTS: readonly (readonly [value: string, text: TextKey])[] = [
  ['small', 'screens.sizeSmall'],
  ['normal', 'screens.sizeNormal'],
  ['large', 'screens.sizeLarge'],
];
const COLUMN_TEXTS: readonly (readonly [value: string, text: TextKey])[] = [
  ['', 'screens.columnsAuto'],
  ['1', 'screens.columnsOne'],
  ['2', 'screens.columnsTwo'],
];

/** The controls of a screen's settings. */
export async function screenFields(
  desk: Desk,
  draft: ScreenDraft,
  errors: FieldErrors,
): Promise<Html> {
  const { say, brand } = desk.request;
  const errorOf = (name: string) => {
    const found = Object.entries(errors).find(
      ([field]) => field === name || field.startsWith(`${name}.`),
    )?.[1][0];
    return found && sayBroken(say, found);
  };
  const number = (name: 'page_seconds' | 'part' | 'parts', label: string, hint?: string) => {
    return input({
      ...{ name, label, hint, value: draft[name], inputmode: 'numeric', error: errorOf(name) },
    });
  };
  const boxes = (name: 'section_ids' | 'languages', options: { value: string; label: string }[]) =>
    html`<div class="choices">${options.map(({ value, label }) =>
      choiceInput('checkbox', { name, value, label, checked: draft[name].includes(value) }),
    )}</div>`;
  const list = (
    name: 'columns' | 'orientation' | 'text_size',
    label: string,
    texts: readonly (readonly [value: string, text: TextKey])[],
    hint?: string,
  ) => {
    const options = texts.map(([value, text]) => ({ value, label: say(text) }));
    return select({ name, label, hint, value: draft[name], error: errorOf(name) }, options);
  };
  // Boxes stand in columns, where it tells nothing how far in a name begins.
  const sections = sectionOptions(desk, await readSections(desk)).map((one) => ({
    ...one,
    label: one.label.trim(),
  }));
  const languages = brand.locales.map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }));
  const isHidden = draft.hide_sold_out === '1';
  return html`${input({ name: 'name', label: say('screens.name'), value: draft.name, error: errorOf('name') })}
${group('section_ids', say('screens.sections'), boxes('section_ids', sections), {
  hint: say('screens.sectionsHint'),
  error: errorOf('section_ids'),
})}
${choiceInput('checkbox', { name: 'hide_sold_out', value: '1', label: say('screens.hideSoldOut'), checked: isHidden })}
${
  languages.length > 1 &&
  group('languages', say('screens.languages'), boxes('languages', languages), {
    hint: say('screens.languagesHint'),
    error: errorOf('languages'),
  })
}
${number('page_seconds', say('screens.seconds'), say('screens.secondsHint'))}
${list('text_size', say('screens.textSize'), SIZE_TEXTS, say('screens.textSizeHint'))}
${list('columns', say('screens.columns'), COLUMN_TEXTS)}
${list('orientation', say('screens.orientation'), ORIENTATION_TEXTS)}
${group(
  'side',
  say('screens.parts'),
  html`${number('part', say('screens.part'))}${number('parts', say('screens.partsOf'))}`,
  {
    hint: say('screens.partsHint'),
  },
)}
${choiceInput('checkbox', { name: 'tells_away', value: '1', label: say('screens.tellsAway'), checked: draft.tells_away === '1' })}`;
}
