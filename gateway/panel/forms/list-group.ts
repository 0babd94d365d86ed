import type { Field } from '../../../db/schema/field.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import { type Html, html } from '../../http/html.ts';
import { fieldControl, textGroup } from './controls.ts';
import type { FormView } from './draft.ts';
import { group, type TextInput } from './inputs.ts';

/** So many objects can be added at once: more come with script, or after saving. */
const FREE_ROWS: Readonly<Record<string, number>> = { variants: 3, options: 3, courses: 1 };
const FEW_FREE_ROWS = 2;

/** The numbers of the objects of a list that hold something. */
function usedRows({ draft }: FormView, name: string): number[] {
  const used = new Set<number>();
  for (const [key, values] of draft) {
    const [, index] = key.startsWith(`${name}.`) ? key.slice(name.length).split('.') : [];
    if (index !== undefined && values.some((value) => value !== '')) used.add(Number(index));
  }
  return [...used].sort((a, b) => a - b);
}

/** One object: a name comes first and is the title of the row, other parts stand below a title. */
function row(view: FormView, path: string, title: string, parts: readonly [string, Field][]): Html {
  const [first, ...rest] = parts;
  const controls = (list: readonly [string, Field][]) =>
    list.map(([part, field]) => fieldControl(view, `${path}.${part}`, field));
  if (first?.[1].isTranslated) {
    return html`<div class="list-row named">${textGroup(view, `${path}.${first[0]}`, title)}${controls(rest)}</div>`;
  }
  return html`<fieldset class="list-row"><legend>${title}</legend><div class="row-parts">${controls(parts)}</div></fieldset>`;
}

/** The objects of a list, each with its parts, and free ones behind them. */
export function listGroup(
  view: FormView,
  name: string,
  { parts = {}, max = 0 }: Field,
  { label, hint }: Pick<TextInput, 'label' | 'hint'>,
): Html {
  const { say, errors } = view;
  const kind = name.split('.').at(-1) ?? name;
  const used = usedRows(view, name);
  const count = Math.min(max, (used.at(-1) ?? -1) + 1 + (FREE_ROWS[kind] ?? FEW_FREE_ROWS));
  const rows = Array.from({ length: count }, (_, index) => {
    const key = `rows.${kind}.${used.includes(index) ? 'one' : 'free'}` as TextKey;
    return row(view, `${name}.${index}`, say(key, { n: index + 1 }), Object.entries(parts));
  });
  const list = html`<div class="rows" data-rows="${name}" data-most="${max}">${rows}</div>`;
  return group(name, label, list, { error: errors[name], hint, kind: 'list' });
}
