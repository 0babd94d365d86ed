import { CODE_KEYS, CODE_MEANINGS, SIGN_MEANINGS } from '../../../db/schema/choice-words.ts';
import {
  ALLERGEN_COLUMNS,
  COLUMN_TARGETS,
  LABEL_COLUMNS,
  NO_TARGET,
  OWNERS_COLUMNS,
} from '../../../db/schema/column-names.ts';
import { additives } from '../../../db/schema/dictionary.ts';
import { dishColumns } from '../../../db/schema/dish-table.ts';
import type { AskedTable, TableFacts } from '../../../db/schema/table.ts';
import { LANGUAGE_NAMES, type Locale } from '../../../db/schema/values/locale.ts';
import { isTextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { type FormPlace, writePrice } from '../forms/draft.ts';
import { choiceInput, group, inputId, type Option, optionList, select } from '../forms/inputs.ts';
import { MOST_SIGNS } from './table-choices.ts';
import type { Writing } from './value-text.ts';

type Column = TableFacts['columns'][number];

/** The name of a meaning of a column. @param locale of the whole table, which is not repeated */
function targetName(say: Say, target: string, locale?: Locale): string {
  const own = OWNERS_COLUMNS.find((one) => one === target);
  if (own) return say(`import.columns.${own}`);
  const allergen = ALLERGEN_COLUMNS.get(target) && `allergens.${ALLERGEN_COLUMNS.get(target)}`;
  if (allergen && isTextKey(allergen)) return say('import.allergenColumn', { name: say(allergen) });
  const word = LABEL_COLUMNS.get(target) && `labels.${LABEL_COLUMNS.get(target)}`;
  if (word && isTextKey(word)) return say('import.labelColumn', { name: say(word) });
  const { field, locale: language } = dishColumns.find(({ name }) => name === target) ?? {};
  const label = field?.options.label;
  if (!label || !isTextKey(label)) return target;
  const isSaid = language === undefined || language === locale;
  return isSaid ? say(label) : `${say(label)} (${LANGUAGE_NAMES[language]})`;
}

/** Keys that other systems need and people do not choose. */
const isKey = (target: string) => /(^|_)id$/.test(target) || target === 'variants';
const MINOR = new Set(['size_name_2', 'size_name_3', 'handle', 'language']);
const localeOf = new Map(dishColumns.map(({ name, locale }) => [name, locale]));

/** A cell as the reader writes it: a price that was read stands in the form of the API. */
function cellText(place: FormPlace, target: string | null, cell: string): string {
  const isPrice = target === 'price' || target === 'size';
  return isPrice && /^\d+(\.\d+)?$/.test(cell) ? writePrice(cell, place) : cell;
}

/** The languages of a house, and that of texts whose column names none. */
interface Languages {
  locales: readonly Locale[];
  locale: Locale | undefined;
}

/** The value of a meaning in a select: the language of the whole table is chosen elsewhere. */
function optionValue(target: string, locale: Locale | undefined): string {
  const column = dishColumns.find(({ name }) => name === target);
  return column?.locale && column.locale === locale ? column.fieldName : target;
}

/** The meanings to choose from, in groups: texts in the languages of the house alone. */
function offered(say: Say, { locales, locale }: Languages, target: string | null): Html {
  const isOffered = (one: string) => {
    const own = localeOf.get(one);
    return one === target || (!isKey(one) && (own === undefined || locales.includes(own)));
  };
  const all = COLUMN_TARGETS.filter(isOffered);
  const isSpecial = (one: string) => ALLERGEN_COLUMNS.has(one) || LABEL_COLUMNS.has(one);
  const isForeign = (one: string) => {
    const own = localeOf.get(one);
    return own !== undefined && own !== locale;
  };
  const common = ['section', `name_${locale}`, `description_${locale}`, 'price'];
  const listed = (list: readonly string[]) =>
    optionList(
      list.map((one) => ({
        ...{ value: optionValue(one, locale), label: targetName(say, one, locale) },
      })),
      target === null ? null : optionValue(target, locale),
    );
  const foreign = all.filter(isForeign);
  const rest = all.filter(
    (one) => !common.includes(one) && !isSpecial(one) && !MINOR.has(one) && !isForeign(one),
  );
  return html`${listed(common)}
<optgroup label="${say('import.groups.more')}">${listed([...rest, ...all.filter((one) => MINOR.has(one))])}</optgroup>
${foreign.length > 0 && html`<optgroup label="${say('import.groups.languages')}">${listed(foreign)}</optgroup>`}
<optgroup label="${say('import.groups.allergens')}">${listed(all.filter(isSpecial))}</optgroup>`;
}

/** A sentence with the meaning of a column, or why it has none. */
function meaningText(say: Say, { target, left, is_asked }: Column, locale?: Locale): string {
  if (target !== null) return targetName(say, target, locale);
  if (is_asked) return say('import.chooseMeaning');
  return left ? say(`import.left.${left}`) : say('import.notUnderstood');
}

/** One column: its header, the guess in words, and three of its values; its select opens below. */
function columnRow(
  { say, place }: Writing,
  languages: Languages,
  column: Column,
  at: number,
  samples: readonly string[],
): Html {
  const { header, target, left, might_be = [], is_asked = false } = column;
  const id = inputId(`column.${at}`);
  const name = header || say('import.columns.nameless', { n: at + 1 });
  const shown = (column.examples ?? samples).map((cell) => cellText(place, target, cell));
  const isUnknown = target === null && !left;
  const none: Option[] = [
    ...(isUnknown ? [{ value: '?', label: say('import.chooseMeaning') }] : []),
    ...(left && left !== 'chosen' ? [{ value: '?', label: say(`import.left.${left}`) }] : []),
    { value: NO_TARGET, label: say('import.columns.none') },
  ];
  const known = might_be
    .filter((one) => !isKey(one))
    .map((one) => targetName(say, one, languages.locale));
  const hint =
    known.length > 0 &&
    html`<p class="hint">${say('import.mightBe', { names: known.join(', ') })}</p>`;
  const chosen = target ?? (left === 'chosen' ? NO_TARGET : '?');
  const state = is_asked ? 'is-asked' : isUnknown ? 'is-unknown' : '';
  return html`<details class="column ${state}"${(is_asked || isUnknown) && html` open`}>
<summary><span class="header"><bdi>${name}</bdi></span> <span class="meaning">${meaningText(say, column, languages.locale)}</span> <span class="samples"><bdi>${shown.slice(0, 3).join(' · ').slice(0, 90)}</bdi></span></summary>
<div class="field"><label class="hidden" for="${id}">${name}</label>${hint}<select id="${id}" name="column.${at}">${optionList(none, optionValue(chosen, languages.locale))}${offered(say, languages, target)}</select></div></details>`;
}

/** The columns of a table: each in a line, and those that are not understood open. */
export function columnList(
  writing: Writing,
  locales: readonly Locale[],
  { columns, rows, locale }: TableFacts,
): Html {
  const lines = columns.map((column, at) => {
    const cells = rows.map(({ cells: row }) => row[at] ?? '').filter((cell) => cell !== '');
    return columnRow(writing, { locales, locale }, column, at, [...new Set(cells)]);
  });
  return html`<div class="columns-read">${lines}</div>`;
}

/** The select of the language of texts whose column names none, in a house with several. */
export function languageChoice(
  { say }: Writing,
  locales: readonly Locale[],
  { locale }: TableFacts,
): Content {
  if (locale === undefined) return null;
  const field = { name: 'locale', label: say('import.textLanguage'), value: locale };
  const options = locales.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
  return locales.length > 1
    ? html`<div class="text-language">${select(field, options)}</div>`
    : html`<input type="hidden" name="locale" value="${locale}">`;
}

function codeName(say: Say, meaning: string): string {
  const key = meaning.startsWith('additive_')
    ? `additives.${meaning.slice('additive_'.length)}`
    : `allergens.${meaning}`;
  return isTextKey(key) ? say(key) : say('import.codes.ignored');
}

/** Selects for codes in lists: the key that the house uses, or the meaning of each. */
function codeChoices({ say }: Writing, { codes = [], code_keys = [] }: TableFacts, from: number) {
  if (codes.length === 0) return null;
  const none = { value: '', label: say('import.signs.none') };
  const isAdditive = (sign: string) => sign.startsWith('additives:');
  const meanings = CODE_MEANINGS.map((value) => ({ value, label: codeName(say, value) }));
  const ofAdditives = meanings.filter(
    ({ value }) => value === 'ignored' || additives.keys.some((key) => value === `additive_${key}`),
  );
  const fields = codes.map(({ sign, dishes, meaning }, at) => {
    const field = {
      ...{ name: `meaning.${from + at}`, value: meaning ?? '' },
      label: say('import.codes.code', { text: sign.replace(/^additives:/, '').toUpperCase() }),
      hint: dishes.join(', ').slice(0, 120),
    };
    return html`<input type="hidden" name="sign.${from + at}" value="${sign}">${select(field, [none, ...(isAdditive(sign) ? ofAdditives : meanings)])}`;
  });
  const keys = CODE_KEYS.filter((key) => code_keys.includes(key)).map((value) => ({
    ...{ value, label: say(`import.codes.${value}`) },
  }));
  const own = { value: '', label: say('import.codes.own') };
  const isOpen = codes.some(({ meaning }) => meaning === null);
  const key = { name: 'code_key', label: say('import.codes.key'), value: '' };
  return group(
    'codes',
    say('import.codes.title'),
    html`${isOpen && keys.length > 0 && select(key, [own, ...keys])}<div class="table-columns">${fields}</div>`,
    { hint: say('import.codes.hint') },
  );
}

/** Selects for signs in columns of one allergen, and for codes in lists of them. */
export function signChoices(writing: Writing, facts: TableFacts): Html {
  const { say } = writing;
  const signs = (facts.signs ?? []).slice(0, MOST_SIGNS);
  const none = { value: '', label: say('import.signs.none') };
  const meanings = SIGN_MEANINGS.map((value) => ({ value, label: say(`import.signs.${value}`) }));
  const emptyMeanings = meanings.filter(({ value }) => /^(absent|unknown)$/.test(value));
  const fields = signs.map(({ sign, row, meaning }, at) => {
    const label =
      sign === '' ? say('import.signs.empty') : say('import.signs.sign', { text: sign });
    const field = {
      ...{ name: `meaning.${at}`, label, value: meaning ?? '' },
      ...(row !== null && { hint: say('import.row', { n: row }) }),
    };
    const options = sign === '' ? emptyMeanings : meanings;
    return html`<input type="hidden" name="sign.${at}" value="${sign}">${select(field, [none, ...options])}`;
  });
  const list = html`<div class="table-columns">${fields}</div>`;
  const hint = { hint: say('import.signs.hint') };
  return html`${signs.length > 0 && group('signs', say('import.signs.title'), list, hint)}${codeChoices(writing, facts, signs.length)}`;
}

/** Choices of sheets and rows, where a table has some that were not read. */
export function partChoices({ say }: Writing, facts: TableFacts, asked: AskedTable): Html {
  const { sheets = [], hidden_rows: hidden = [], without_price: free = [] } = facts;
  const all = { value: '', label: say('import.allSheets') };
  const options = sheets.map(({ name, rows }) => ({
    ...{ value: name, label: say('import.sheetRows', { name, n: rows }) },
  }));
  const sheet = { name: 'sheet', label: say('import.sheet'), value: asked.sheet ?? '' };
  const box = (name: 'hidden_rows' | 'without_prices', label: string, checked: boolean) =>
    choiceInput('checkbox', { name, value: '1', label, checked });
  const isFree = free.length > 0 || asked.without_prices === true;
  return html`${sheets.length > 1 && select(sheet, [all, ...options])}
${(hidden.length > 0 || asked.hidden_rows === true) && box('hidden_rows', say('import.readHidden', { rows: hidden.join(', ') }), asked.hidden_rows === true)}
${isFree && box('without_prices', say('import.withoutPrices'), asked.without_prices === true)}`;
}

/** Sentences about what a table is, and what of it is not read. */
export function tableNotes(say: Say, facts: TableFacts, deletesMissing: boolean): Content {
  const { source, sheets = [], hidden_rows = [], without_price = [], keeps_missing } = facts;
  const unread = sheets.filter((sheet) => !sheet.is_read).map(({ name }) => name);
  const notes = [
    source && say(`import.sources.${source}`),
    unread.length > 0 && say('import.unreadSheets', { names: unread.join(', ') }),
    hidden_rows.length > 0 && say('import.hiddenRows', { rows: hidden_rows.join(', ') }),
    without_price.length > 0 && say('import.freeRows', { rows: without_price.join(', ') }),
    deletesMissing && keeps_missing && say('import.keepsMissing'),
  ].filter((note) => typeof note === 'string');
  return (
    notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`
  );
}

/** The first rows of a table as they were read. */
export function tableRows({ say, place }: Writing, { columns, rows, locale }: TableFacts): Html {
  const shown = columns.flatMap(({ target }, at) => (target === null ? [] : [{ target, at }]));
  const heads = shown.map(
    ({ target }) => html`<th scope="col">${targetName(say, target, locale)}</th>`,
  );
  const lines = rows.map(
    ({ row, cells }) =>
      html`<tr><th scope="row">${row}</th>${shown.map(({ target, at }) => html`<td>${cellText(place, target, cells[at] ?? '')}</td>`)}</tr>`,
  );
  return html`<div class="table-rows" role="region" tabindex="0" aria-label="${say('import.firstRows')}"><table><caption>${say('import.firstRows')}</caption>
<thead><tr><th scope="col">${say('import.rowNumber')}</th>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
