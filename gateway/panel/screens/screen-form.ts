import type { Screen } from '../../../db/sql/screens.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import type { FormField } from '../forms/action-form.ts';
import { languageOptions } from '../forms/inputs.ts';
import { momentElement } from '../pages/moment.ts';
import { readSections, sectionOptions } from '../writes/move.ts';

/** The state of a screen as a word in a box. */
export function screenState({ say }: Desk, { state }: Screen): Html {
  const kind = state === 'here' ? 'active' : 'due';
  return html`<span class="state ${kind}">${say(`screens.${state}`)}</span>`;
}

/** When it was seen last, or since when it is away, what it shows, and how large it is. */
export function screenFacts(desk: Desk, screen: Screen, latest: number): Html {
  const { say } = desk;
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

const ORIENTATIONS = [
  ['auto', 'screens.auto'],
  ['landscape', 'screens.landscape'],
  ['portrait', 'screens.portrait'],
  ['portrait_left', 'screens.portraitLeft'],
] as const;
const SIZES = [
  ['small', 'screens.sizeSmall'],
  ['normal', 'screens.sizeNormal'],
  ['large', 'screens.sizeLarge'],
] as const;
const COLUMNS = [
  ['', 'screens.columnsAuto'],
  ['1', 'screens.columnsOne'],
  ['2', 'screens.columnsTwo'],
] as const;

export async function screenFields(desk: Desk): Promise<FormField[]> {
  const { locales } = desk.request.brand;
  // Boxes stand in columns, where it tells nothing how far in a name begins.
  const sections = sectionOptions(desk, await readSections(desk)).map(({ value, label }) => {
    return { value, label: label.trim() };
  });
  const ofLanguages: FormField = {
    ...{ kind: 'boxes', name: 'languages', label: 'screens.languages' },
    ...{ hint: 'screens.languagesHint', options: languageOptions(locales) },
  };
  return [
    { kind: 'text', name: 'name', label: 'screens.name' },
    {
      ...{ kind: 'boxes', name: 'section_ids', label: 'screens.sections', options: sections },
      hint: 'screens.sectionsHint',
    },
    { kind: 'flag', name: 'hide_sold_out', label: 'screens.hideSoldOut' },
    ...(locales.length > 1 ? [ofLanguages] : []),
    { kind: 'number', name: 'page_seconds', label: 'screens.seconds', hint: 'screens.secondsHint' },
    {
      ...{ kind: 'list', name: 'text_size', label: 'screens.textSize', options: SIZES },
      hint: 'screens.textSizeHint',
    },
    { kind: 'list', name: 'columns', label: 'screens.columns', options: COLUMNS },
    { kind: 'list', name: 'orientation', label: 'screens.orientation', options: ORIENTATIONS },
    {
      ...{ kind: 'group', name: 'side', label: 'screens.parts', hint: 'screens.partsHint' },
      fields: [
        { kind: 'number', name: 'part', label: 'screens.part' },
        { kind: 'number', name: 'parts', label: 'screens.partsOf' },
      ],
    },
    { kind: 'flag', name: 'tells_away', label: 'screens.tellsAway' },
  ];
}
