import { SIGN_MEANINGS, type SignMeaning } from '../../../db/schema/choice-words.ts';
import {
  ALLERGEN_COLUMNS,
  COLUMN_TARGETS,
  NO_TARGET,
  OWNERS_COLUMNS,
} from '../../../db/schema/column-names.ts';
import { dishColumns } from '../../../db/schema/dish-table.ts';
import {
  type AskedTable,
  DECIMAL_SIGNS,
  type DecimalSign,
  ENCODINGS,
  MAX_COLUMNS,
  MAX_SIGNS,
  type TableFacts,
} from '../../../db/schema/table.ts';
import { LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import { isTextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import { type FormPlace, writePrice } from '../forms/draft.ts';
import { group, select } from '../forms/inputs.ts';
import type { Writing } from './value-text.ts';

type Choices = Pick<AskedTable, 'encoding' | 'decimal_sign' | 'places' | 'signs'>;

const among = <T extends string>(words: readonly T[], given: string | undefined) =>
  words.find((word) => word === given);

/** The meanings of columns that a form has, by their places; undefined when it has none. */
function readPlaces(fields: ReadonlyMap<string, string>): string[] | undefined {
  const places: string[] = [];
  for (let at = 0; at < MAX_COLUMNS && fields.has(`column.${at}`); at += 1) {
    places.push(among(COLUMN_TARGETS, fields.get(`column.${at}`)) ?? NO_TARGET);
  }
  return places.length > 0 ? places : undefined;
}

/** The meanings of signs that a form has; undefined when it has none. */
function readSigns(fields: ReadonlyMap<string, string>): Choices['signs'] {
  const signs: [string, SignMeaning][] = [];
  for (let at = 0; at < MAX_SIGNS; at += 1) {
    const sign = fields.get(`sign.${at}`);
    const meaning = among(SIGN_MEANINGS, fields.get(`meaning.${at}`));
    if (sign !== undefined && meaning) signs.push([sign, meaning]);
  }
  return signs.length > 0 ? Object.fromEntries(signs) : undefined;
}

/** The fields of `tableChoices` and `columnChoices` that were sent. */
export function readTableChoices(fields: ReadonlyMap<string, string>): Choices {
  return {
    encoding: among(ENCODINGS, fields.get('encoding')),
    decimal_sign: among(DECIMAL_SIGNS, fields.get('decimal_sign')),
    places: readPlaces(fields),
    signs: readSigns(fields),
  };
}

/** Choices as the hidden fields of another form bring them on. */
export function carriedChoices({
  encoding,
  decimal_sign,
  places,
  signs,
}: Choices): Record<string, string> {
  const meanings = Object.entries(signs ?? {}).flatMap(([sign, meaning], at) => [
    [`sign.${at}`, sign] as const,
    [`meaning.${at}`, meaning] as const,
  ]);
  const columns = (places ?? []).map((target, at) => [`column.${at}`, target] as const);
  return {
    ...(encoding && { encoding }),
    ...(decimal_sign && { decimal_sign }),
    ...Object.fromEntries([...columns, ...meanings]),
  };
}

/** The choices that read a table as it was read. */
export function choicesOf({ encoding, decimal_sign, columns, signs = [] }: TableFacts): Choices {
  return {
    encoding: encoding === 'xlsx' ? undefined : encoding,
    decimal_sign: decimal_sign ?? undefined,
    places: columns.map(({ target }) => target ?? NO_TARGET),
    signs: Object.fromEntries(
      signs.flatMap(({ sign, meaning }) => (meaning ? [[sign, meaning] as const] : [])),
    ),
  };
}

/** The fields that say how a table is written; what is not chosen is found. */
export function tableChoices(say: Say, { encoding, decimal_sign }: Choices): Html {
  const found = { value: '', label: say('import.found') };
  const names: Record<DecimalSign, string> = { ',': say('import.comma'), '.': say('import.point') };
  const encodings = ENCODINGS.map((value) => ({ value, label: encodingName(value) }));
  const signs = DECIMAL_SIGNS.map((value) => ({ value, label: names[value] }));
  const sign = {
    name: 'decimal_sign',
    label: say('import.decimalSign'),
    value: decimal_sign ?? '',
  };
  const bytes = { name: 'encoding', label: say('import.encoding'), value: encoding ?? '' };
  return html`${select(sign, [found, ...signs])}${select(bytes, [found, ...encodings])}`;
}

/** The name of a meaning of a column. */
function targetName(say: Say, target: string): string {
  const own = OWNERS_COLUMNS.find((one) => one === target);
  if (own) return say(`import.columns.${own}`);
  const key = ALLERGEN_COLUMNS.get(target);
  const allergen = key && `allergens.${key}`;
  if (allergen && isTextKey(allergen)) return say('import.allergenColumn', { name: say(allergen) });
  const column = dishColumns.find(({ name }) => name === target);
  const label = column?.field?.options.label;
  if (!label || !isTextKey(label)) return target;
  return column.locale ? `${say(label)} (${LANGUAGE_NAMES[column.locale]})` : say(label);
}

/** Keys that other systems need and people do not choose. */
const isKey = (target: string) => /(^|_)id$/.test(target) || target === 'variants';

/** A cell as the reader writes it: a price that was read stands in the form of the API. */
function cellText(place: FormPlace, target: string | null, cell: string): string {
  const isPrice = target === 'price' || target === 'size';
  return isPrice && /^\d+(\.\d+)?$/.test(cell) ? writePrice(cell, place) : cell;
}

/** A select for each column, with what its first cells hold. */
export function columnChoices({ say, place }: Writing, { columns, rows }: TableFacts): Html {
  const ignored = { value: NO_TARGET, label: say('import.columns.none') };
  const fields = columns.map(({ header, target }, at) => {
    const offered = COLUMN_TARGETS.filter((one) => !isKey(one) || one === target);
    const options = offered.map((value) => ({ value, label: targetName(say, value) }));
    const given = rows.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '');
    const samples = given.map((cell) => cellText(place, target, cell));
    const labelled = {
      name: `column.${at}`,
      label: header || say('import.columns.nameless', { n: at + 1 }),
      hint: samples.slice(0, 3).join(' · ').slice(0, 120),
      value: target ?? NO_TARGET,
    };
    return select(labelled, [ignored, ...options]);
  });
  return html`<div class="table-columns">${fields}</div>`;
}

/** A select for each sign in columns of allergens: what it is taken for, or what is asked. */
export function signChoices({ say }: Writing, { signs = [] }: TableFacts): Html | null {
  if (signs.length === 0) return null;
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
    const offered = sign === '' ? emptyMeanings : meanings;
    return html`<input type="hidden" name="sign.${at}" value="${sign}">${select(field, [none, ...offered])}`;
  });
  return group(
    'signs',
    say('import.signs.title'),
    html`<div class="table-columns">${fields}</div>`,
    {
      hint: say('import.signs.hint'),
    },
  );
}

/** The first rows of a table as they were read. */
export function tableRows({ say, place }: Writing, { columns, rows }: TableFacts): Html {
  const shown = columns.flatMap(({ target }, at) => (target === null ? [] : [{ target, at }]));
  const heads = shown.map(({ target }) => html`<th scope="col">${targetName(say, target)}</th>`);
  const lines = rows.map(
    ({ row, cells }) =>
      html`<tr><th scope="row">${row}</th>${shown.map(({ target, at }) => html`<td>${cellText(place, target, cells[at] ?? '')}</td>`)}</tr>`,
  );
  return html`<div class="table-rows" role="region" tabindex="0" aria-label="${say('import.firstRows')}"><table><caption>${say('import.firstRows')}</caption>
<thead><tr><th scope="col">${say('import.rowNumber')}</th>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** The name of an encoding, as people know it. */
function encodingName(encoding: TableFacts['encoding']): string {
  if (encoding === 'macintosh') return 'Mac Roman';
  return encoding.replace(/^utf|^./, (letters) => letters.toUpperCase());
}

/** A sentence with how a table was read. */
export function tableRead(
  say: Say,
  { encoding, separator, decimal_sign: sign }: TableFacts,
): string {
  if (separator === null) return say('import.bookRead');
  return say('import.tableRead', {
    encoding: encodingName(encoding),
    separator: separator === '\t' ? say('import.tab') : say('import.quoted', { text: separator }),
    sign: sign === null ? say('import.noDecimals') : say('import.quoted', { text: sign }),
  });
}
