import { memoize } from '../../../db/runtime/memoize.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import type { Field, Fields } from '../../../db/schema/field.ts';
import { COUNTRIES, countryName } from '../../../db/schema/values/country.ts';
import { LOCALES } from '../../../db/schema/values/locale.ts';
import { isTextKey, type PanelLanguage, type TextKey } from '../../../db/texts/catalogues.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { FONT_CHOICES } from '../../theme/own-fonts.ts';
import { sayWord } from '../texts/choose.ts';
import { type FormView, NO_PRICE, one, weekdayOptions } from './draft.ts';
import {
  choiceBoxes,
  choiceInput,
  group,
  input,
  inputId,
  type Option,
  select,
  type TextInput,
} from './inputs.ts';
import { foreignPicture, photoGroup } from './photo-group.ts';
import { LONG_TEXTS, textGroup } from './text-group.ts';

const PRESENCES = [
  ['contains', 'editor.contains'],
  ['may', 'editor.may'],
  ['no', 'editor.no'],
] as const;

/** A box that settles all answers at once. */
function box({ say, draft }: FormView, name: string, label: TextKey, hint?: TextKey): Html {
  const checked = one(draft, name) === '1';
  const hints = hint && { hint: say(hint) };
  return choiceInput('checkbox', { name, value: '1', label: say(label), checked, ...hints });
}

/**
 * Whether allergens are declared, and for each of them: no, may contain, contains. A tap leads to the
 * next answer: the radio buttons lie on each other, the next one on top. While nothing is declared they
 * have no answer; "all the others: no" is an answer that somebody gives.
 */
function allergenGroup(view: FormView, legend: Content): Html {
  const { say, draft, errors } = view;
  const isDeclared = one(draft, 'allergens.declared') === '1';
  const radio = (value: string, label: string, checked: boolean) =>
    choiceInput('radio', { name: 'allergens.declared', value, label, checked });
  const states = PRESENCES.map(([value, text]) => html`<b class="${value}">${say(text)}</b>`);
  const answers = allergens.keys.map((key) => one(draft, `allergen.${key}`));
  const rows = allergens.keys.map((key) => {
    const name = `allergen.${key}`;
    const present = one(draft, name);
    const presences = PRESENCES.map(([value, text]) => {
      const id = inputId(`${name}.${value}`);
      const checked = value === present && html` checked`;
      return html`<input type="radio" class="presence ${value}" id="${id}" name="${name}" value="${value}" aria-label="${say(text)}"${checked}>`;
    });
    const title = say(allergens.label(key));
    return html`<fieldset class="allergen"><legend>${title}</legend>${presences}<span class="face" aria-hidden="true">${title}${states}</span></fieldset>`;
  });
  const error = errors.allergens ?? errors.traces;
  // Without script a chosen answer stays chosen: this takes all of them back.
  const forget =
    error !== undefined && !isDeclared && box(view, 'allergens.forget', 'contradictions.forget');
  const content = html`${forget}
<div class="allergens" data-ticks="${inputId('allergens.declared.1')}" data-cleared-by="${inputId('allergens.declared.0')}">${rows}
${answers.includes('') && box(view, 'allergens.rest', 'contradictions.rest', 'contradictions.restHint')}</div>
<div class="declared">${radio('0', say('editor.undeclared'), !isDeclared)}
${radio('1', say('editor.declared'), isDeclared)}</div>`;
  return group('allergens', legend, content, { error, hint: say('editor.declaredHint') });
}

/** The id of the list of places. */
const COUNTRY_LIST = 'country-names';

const namesIn = memoize((language: PanelLanguage) => {
  const names = [...COUNTRIES, 'EU'].map((code) => countryName(code, language));
  const sorted = names.sort(new Intl.Collator(language).compare);
  return html`${sorted.map((name) => html`<option value="${name}">`)}`;
});

/** Places by name; their codes are taken, too. */
function countryNames({ place, say }: FormView): Html {
  return html`<datalist id="${COUNTRY_LIST}">${namesIn(place.language)}<option value="${say('editor.nonEu')}"></datalist>`;
}

/** So many objects can be added at once: more come with script, or after saving. */
const FREE_ROWS: Readonly<Record<string, number>> = { variants: 3, options: 3, courses: 1 };
const FEW_FREE_ROWS = 2;

/** The numbers of the objects of a list that hold something. */
function usedRows({ draft }: FormView, name: string, parts: Fields): number[] {
  const used = new Set<number>();
  for (const [key, values] of draft) {
    const [, index, part = ''] = key.startsWith(`${name}.`)
      ? key.slice(name.length).split('.')
      : [];
    const usual = parts[part]?.options.default;
    const says = values.some((value) => value !== '' && value !== usual);
    if (index !== undefined && says) used.add(Number(index));
  }
  return [...used].sort((a, b) => a - b);
}

/** One object: a name comes first and is the title of the row, other parts stand below a title. */
function row(view: FormView, path: string, title: string, parts: readonly [string, Field][]): Html {
  const [first, ...rest] = parts;
  const controls = (list: readonly [string, Field][]) =>
    list.map(([part, field]) => {
      const name = `${path}.${part}`;
      // A till's key of a size is kept, and people see nothing of it.
      return part === 'external_id'
        ? html`<input type="hidden" name="${name}" value="${one(view.draft, name)}">`
        : fieldControl(view, name, field);
    });
  if (first?.[1].isTranslated) {
    return html`<div class="list-row named">${textGroup(view, `${path}.${first[0]}`, title)}${controls(rest)}</div>`;
  }
  return html`<fieldset class="list-row"><legend>${title}</legend><div class="row-parts">${controls(parts)}</div></fieldset>`;
}

/** The objects of a list, each with its parts, and free ones behind them. */
function listGroup(
  view: FormView,
  name: string,
  { parts = {}, max = 0 }: Field,
  { label, hint }: Pick<TextInput, 'label' | 'hint'>,
): Html {
  const { say, errors } = view;
  const kind = name.split('.').at(-1) ?? name;
  const used = usedRows(view, name, parts);
  const count = Math.min(max, (used.at(-1) ?? -1) + 1 + (FREE_ROWS[kind] ?? FEW_FREE_ROWS));
  const rows = Array.from({ length: count }, (_, index) => {
    const key = `rows.${kind}.${used.includes(index) ? 'one' : 'free'}` as TextKey;
    return row(view, `${name}.${index}`, say(key, { n: index + 1 }), Object.entries(parts));
  });
  const hasCountries = Object.values(parts).some((part) => part.kind === 'country');
  const list = html`<div class="rows" data-rows="${name}" data-most="${max}">${rows}</div>${hasCountries && countryNames(view)}`;
  return group(name, label, list, { error: errors[name], hint, kind: 'list' });
}

function momentGroup({ say, draft, errors }: FormView, name: string): Html {
  const chosen = one(draft, name);
  const radio = (value: string, label: Content) =>
    choiceInput('radio', { name, value, label, checked: chosen === value });
  const at = input({
    name: `${name}.at`,
    label: say('editor.untilWhen'),
    type: 'datetime-local',
    value: one(draft, `${name}.at`),
    rule: { ticks: `${name}.until`, clearedBy: [`${name}.no`, `${name}.indefinitely`] },
  });
  const content = html`${radio('no', say('editor.available'))}
${radio('indefinitely', say('editor.indefinitely'))}
${radio('until', say('editor.until'))}${at}`;
  return group(name, say('editor.availability'), content, { error: errors[name] });
}

function weekdayGroup(
  { say, errors, place, draft }: FormView,
  name: string,
  legend: Content,
): Html {
  const days = choiceBoxes(name, weekdayOptions(place), draft.get(name), 'days');
  return group(name, legend, days, { error: errors[name], hint: say('editor.allDays') });
}

function wordOptions({ say }: FormView, name: string, { values = [] }: Field): Option[] {
  return values.map((value) => ({
    value,
    label: sayWord(say, name.split('.').at(-1) ?? name, value),
  }));
}

/** The languages that are chosen and the usual ones; the many others are folded. */
function languageBoxes({ say, draft }: FormView, name: string, options: readonly Option[]): Html {
  const chosen = draft.get(name) ?? [];
  const usual: readonly string[] = [...LOCALES, ...chosen];
  const near = options.filter(({ value }) => usual.includes(value));
  const far = options.filter(({ value }) => !usual.includes(value));
  return html`${choiceBoxes(name, near, chosen)}
<details class="others"><summary>${say('editor.otherLanguages')}</summary>${choiceBoxes(name, far, chosen)}</details>`;
}

function choiceGroup(view: FormView, name: string, field: Field, legend: Content): Html {
  const { errors, say, draft } = view;
  const declared = `${name}.declared`;
  const checked = one(draft, declared) === '1';
  // Without a tick there are none, or nothing is stated yet.
  const isStatement = field.options.default === null;
  const statement =
    isStatement &&
    choiceInput('checkbox', { name: declared, value: '1', label: say('editor.stated'), checked });
  const options = wordOptions(view, name, field);
  const content = html`${statement}${name === 'supported_locales' ? languageBoxes(view, name, options) : choiceBoxes(name, options, draft.get(name))}`;
  const error =
    errors[name] ?? Object.entries(errors).find(([key]) => key.startsWith(`${name}.`))?.[1];
  if (isStatement) {
    // An object of a list has many words, and most objects need few of them.
    const isOpen = checked || (draft.get(name) ?? []).length > 0 || error !== undefined;
    const open = isOpen && html` open`;
    return html`<details class="stated"${open}><summary>${legend}</summary>${group(name, legend, content, { error })}</details>`;
  }
  return group(name, legend, content, { error });
}

/** A choice for each record of a list, in their order, and free ones behind them. */
function referencesGroup(view: FormView, name: string, { max = 0 }: Field, legend: Content): Html {
  const { say, draft, errors, options } = view;
  const chosen = Array.from({ length: max }, (_, index) => one(draft, `${name}.${index}`));
  const count = Math.min(max, chosen.findLastIndex((value) => value !== '') + 1 + FREE_CHOICES);
  const selects = chosen.slice(0, count).map((value, index) => {
    const label = say('editor.numbered', { n: index + 1 });
    return select({ name: `${name}.${index}`, label, value }, options[name] ?? []);
  });
  return group(name, legend, html`<div class="row-parts">${selects}</div>`, {
    error: errors[name],
    hint: say('lists.modifierGroupsHint'),
  });
}

const DISHES = 'dish-names';

/** A dish by its name, from the list of all. */
function dishInput({ options }: FormView, plain: TextInput): Html {
  const known = (options.courses ?? []).find(({ value }) => value === plain.value);
  return input({ ...plain, value: known ? known.label : plain.value, list: DISHES });
}

function dishNames({ options }: FormView, name: string): Html {
  const names = (options[name] ?? []).map((one) => html`<option value="${one.label}">`);
  return html`<datalist id="${DISHES}">${names}</datalist>`;
}

function choiceOptions(view: FormView, name: string, field: Field): Option[] {
  const words = wordOptions(view, name, field);
  const isOptional = field.options.default === null;
  // In a free row of a list nothing is chosen: browsers would send the first word, and the row be used.
  if (name.includes('.') && !isOptional) return [{ value: '', label: '—' }, ...words];
  const none = name === 'price_unit' ? 'editor.perServing' : 'editor.none';
  return isOptional ? [{ value: '', label: view.say(none) }, ...words] : words;
}

/** Records that can be added to a list at once: more after saving. */
const FREE_CHOICES = 2;

/** The values that a form offers where the API takes any text. */
const PICKS: Record<string, readonly { value: string; label?: string; text?: TextKey }[]> = {
  font_family: FONT_CHOICES,
  border_radius: [
    { value: '0', text: 'corners.square' },
    { value: '8px', text: 'corners.round' },
    { value: '16px', text: 'corners.rounder' },
  ],
};

/** The choice among such values, and the stored one where it is another. */
function pickControl({ say }: FormView, plain: TextInput, picks: (typeof PICKS)[string]): Html {
  const options = picks.map(({ value, label = '', text }) => {
    return { value, label: text === undefined ? label : say(text) };
  });
  const isOther = !picks.some(({ value }) => value === plain.value);
  const own = { value: plain.value, label: say('corners.own', { value: plain.value }) };
  return select(plain, isOther ? [own, ...options] : options);
}

const TYPES = { color: 'color', time: 'time', date: 'date', instant: 'datetime-local' } as const;

/** A field for one value, of the type that browsers have for it. */
function plainInput(plain: TextInput, { kind }: Field): Html {
  return input({
    ...plain,
    type: TYPES[kind as keyof typeof TYPES] ?? 'text',
    ...((kind === 'price' || kind === 'decimal') && { inputmode: 'decimal' as const }),
    ...(kind === 'integer' && { inputmode: 'numeric' as const }),
    ...(LONG_TEXTS.has(plain.name) && { rows: 2 }),
    ...(kind === 'time' && { rule: { ticks: 'time_visibility_enabled.1' } }),
  });
}

/** The price of a dish; that it has none is a choice of its own. */
function priceInput({ say, draft }: FormView, plain: TextInput, field: Field): Html {
  const name = NO_PRICE;
  const checked = one(draft, name) === '1';
  const none = choiceInput('checkbox', { name, value: '1', label: say('editor.noPrice'), checked });
  const clearedBy = [`${name}.1`];
  return html`<div class="priced">${plainInput({ ...plain, rule: { clearedBy } }, field)}${none}</div>`;
}

/** @param name of its inputs, which for a part of a list begins with the list and the number */
function controlOf(view: FormView, name: string, field: Field): Content {
  const { say, draft, errors } = view;
  const label = say(field.options.label);
  const help = `fieldHelp.${name}`;
  const hint = isTextKey(help) ? say(help) : undefined;
  const isFocused = name === view.focused;
  const plain = { name, label, value: one(draft, name), error: errors[name], hint, isFocused };
  if (field.isTranslated) return textGroup(view, name, label, hint);
  if (name === 'allergens') return allergenGroup(view, label);
  if (name === 'traces') return null;
  if (name in PICKS) return pickControl(view, plain, PICKS[name] ?? []);
  switch (field.kind) {
    case 'flag':
      return choiceInput('checkbox', {
        name,
        value: '1',
        label,
        checked: plain.value === '1',
        hint,
        error: plain.error,
      });
    case 'list':
      return html`${listGroup(view, name, field, plain)}${field.target !== undefined && dishNames(view, name)}`;
    case 'references':
      return referencesGroup(view, name, field, label);
    case 'price':
      return name === 'price' ? priceInput(view, plain, field) : plainInput(plain, field);
    case 'country':
      return html`${input({ ...plain, list: COUNTRY_LIST })}${!name.includes('.') && countryNames(view)}`;
    case 'urls':
      return input({ ...plain, rows: 3 });
    case 'moment':
      return momentGroup(view, name);
    case 'weekdays':
      return weekdayGroup(view, name, label);
    case 'choices':
      return choiceGroup(view, name, field, label);
    case 'choice':
      return select(plain, choiceOptions(view, name, field));
    case 'reference':
      if (field.target === 'photos') return photoGroup(view, name, label);
      if (field.target === 'items') return dishInput(view, plain);
      if (field.target === 'wineries') return wineryChoice(view, plain);
      return select(plain, view.options[name] ?? []);
    default:
      return field.options.photo
        ? html`${plainInput(plain, field)}${foreignPicture(say, plain.value)}`
        : plainInput(plain, field);
  }
}

/** The wineries to choose from, and a way to add one before the wine is saved. */
function wineryChoice({ say, draft, errors, options }: FormView, plain: TextInput): Html {
  const name = `${plain.name}.new`;
  const added = input({
    ...{ name, label: say('lists.newWinery'), value: one(draft, name), error: errors[name] },
  });
  return html`${select(plain, options[plain.name] ?? [])}<div class="row add-one">${added}
<button class="button" name="do" value="add-winery">${say('editor.addOne')}</button></div>`;
}

/** The control for one field, with its hints and errors. */
export function fieldControl(view: FormView, name: string, field: Field): Content {
  const remark = view.remarks[name];
  const isLocked = view.locked?.has(name) === true;
  const drawn = controlOf(view, name, field);
  const control = isLocked ? lockedControl(view, name, drawn) : drawn;
  // Traces stand in the group of the allergens, and so does what is said of both.
  const isTold = name === 'traces' && remark === view.remarks.allergens;
  if (remark === undefined || isTold) return control;
  return html`${control}<p class="remark">${remark}</p>`;
}

/** A control that the chain decides. A browser sends none of its values: the form keeps what it had. */
function lockedControl({ say }: FormView, name: string, control: Content): Html {
  const id = `${inputId(name)}-chain`;
  return html`<fieldset class="of-chain" disabled aria-labelledby="${id}">${control}</fieldset>
<p class="remark" id="${id}">${say('chain.isLocked')}</p><input type="hidden" name="kept" value="${name}">`;
}
