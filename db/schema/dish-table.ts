import { guestTexts } from '../texts/catalogues.ts';
import { readWords } from './choice-words.ts';
import { dish } from './dish.ts';
import type { Field } from './field.ts';
import { ORIGIN_KINDS } from './origins.ts';
import { findCountry } from './values/country.ts';
import { ALL_LOCALES, LOCALES, type Locale, textsIn } from './values/locale.ts';
import { externalName } from './values/record-id.ts';
import { listIn, type Row } from './values/row.ts';
import flags from './words/flags.json' with { type: 'json' };
import { wordsOf } from './words/read-words.ts';

// Cells of tables in the words of people: `0,75 l`, `12,5 %`, `Manzo: Italia; Salmone: Norvegia`.

/** How many millilitres a unit has. */
const UNITS: Readonly<Record<string, number>> = { ml: 1, cl: 10, dl: 100, l: 1_000, lt: 1_000 };
const VOLUME = /^([0-9]+(?:[.,][0-9]+)?)\s*(ml|cl|dl|lt|l)$/i;

/** A volume with its unit in millilitres; another text stays as it is. */
function readVolume(text: string): string {
  const [, number = '', unit = ''] = VOLUME.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (factor === undefined) return text;
  return String(Math.round(Number(number.replace(',', '.')) * factor));
}

/** A number with a comma or a percent sign; another text stays as it is. */
function readDecimal(text: string): string {
  return text.replace(/\s*%(\s*vol\.?)?$/i, '').replace(/^([0-9]+),([0-9]+)$/, '$1.$2');
}

const plain = (text: string) => text.trim().toLocaleLowerCase();

const kinds = new Map<string, string>([
  ...LOCALES.flatMap((locale) => {
    const names = guestTexts(locale).origin_kinds;
    return ORIGIN_KINDS.map((kind): [string, string] => [plain(names[kind]), kind]);
  }),
  ...ORIGIN_KINDS.map((kind): [string, string] => [kind, kind]),
]);

/** One ingredient with its country; null for words without such a meaning. */
function readOrigin(part: string): Row | null {
  const [name = '', place = '', ...more] = part.split(':').map((one) => one.trim());
  const country = findCountry(place);
  if (name === '' || country === undefined || more.length > 0) return null;
  const kind = kinds.get(plain(name));
  return kind && kind !== 'other'
    ? { kind, country }
    : { kind: 'other', ingredient: name, country };
}

/**
 * Ingredients with their countries, `Manzo: Italia; Grana: IT`; an ingredient that is no kind of the
 * laws is `other`. A text that says anything else stays as it is: the rules refuse it.
 */
function readOrigins(text: string): unknown {
  const parts = text.split(/[;\n]/).filter((part) => part.trim() !== '');
  const read = parts.map(readOrigin);
  return read.includes(null) ? text : read;
}

// Dishes as a table: the columns of CSV, both ways. A translated field has a column a language.

interface Column {
  name: string;
  field: Field | undefined;
  /** The field that the column says something of. */
  fieldName: string;
  locale?: Locale;
}

/** How a cell says that a dish contains no allergen; an empty one says nothing of allergens. */
const NONE = 'none';
const SEPARATOR = ' ';

export const dishColumns: readonly Column[] = [
  { name: 'id', field: undefined, fieldName: 'id' },
  ...Object.entries<Field>(dish.fields).flatMap(([fieldName, field]): Column[] => {
    if (field.input === null) return [];
    if (field.isTranslated) {
      return ALL_LOCALES.map((locale) => ({
        name: `${fieldName}_${locale}`,
        field,
        fieldName,
        locale,
      }));
    }
    const own = { name: fieldName, field, fieldName };
    if (field.target === undefined || field.kind === 'list') return [own];
    const external = externalName(fieldName);
    return [own, { name: external, field: undefined, fieldName: external }];
  }),
];

/** A cell's text for a value of a document. */
export function toCell({ field, fieldName, locale }: Column, record: Row): string {
  const value = record[fieldName];
  if (locale) return textsIn(value)[locale] ?? '';
  if (value === null || value === undefined) return '';
  if (field?.kind === 'flag') return value ? '1' : '0';
  if (field?.kind === 'list') return listIn(value).length ? JSON.stringify(value) : '';
  if (!Array.isArray(value)) return String(value);
  // The key of a client may hold any sign.
  if (field === undefined) return JSON.stringify(value);
  return value.length === 0 && fieldName === 'allergens' ? NONE : value.join(SEPARATOR);
}

/**
 * Where a spreadsheet begins to read a formula: the beginning of a cell, and any place behind a sign
 * that separates cells in some country. Guards may stand before it.
 */
const FORMULA = /(?:(?<=^)(?='*[=+\-@\t\r＋－＝＠])|(?<=[,;\t\r\n])(?='*[=+\-@＋－＝＠]))/g;
const GUARD = /(?:(?<=^)'(?='*[=+\-@\t\r＋－＝＠])|(?<=[,;\t\r\n])'(?='*[=+\-@＋－＝＠]))/g;

/** A cell that no spreadsheet runs as a formula, in no country. */
export function guardCell(text: string): string {
  return text.replace(FORMULA, "'");
}

/** Undoes `guardCell`. */
export function unguardCell(cell: string): string {
  return cell.replace(GUARD, '');
}

/** Words for yes and no, as spreadsheets, tills and people write them. */
const YES = new Set(wordsOf(flags.yes));
const NO = new Set(wordsOf(flags.no));

/** Whether a word says yes; a word that is none is handed on: the rules say what is wrong with it. */
export function readFlag(text: string): unknown {
  const word = text.trim().toLowerCase();
  return YES.has(word) || (NO.has(word) ? false : text);
}

/** Fields that an empty cell leaves as they are, since they have no empty value. */
const SOLID = new Set(['flag', 'integer', 'price', 'reference']);

/** An empty cell takes a number away that a dish may lack. */
const isNullableNumber = ({ kind, options }: Field) =>
  kind === 'integer' && options.default === null;

/** Columns with the keys of several records. */
const LISTED = new Set(
  Object.entries<Field>(dish.fields).flatMap(([name, { kind }]) =>
    kind === 'references' ? [externalName(name)] : [],
  ),
);

function fromCell({ field, fieldName }: Column, text: string): unknown {
  if (fieldName === 'id') return Number(text);
  if (field?.kind === 'flag') return readFlag(text);
  if (fieldName === 'volume_ml') return readVolume(text);
  if (field?.kind === 'decimal') return readDecimal(text);
  if (fieldName === 'origins' && !text.startsWith('[')) return readOrigins(text);
  if (field?.kind === 'list') return parseList(text);
  if (field?.kind === 'references') return text.split(/[\s,;]+/);
  if (LISTED.has(fieldName)) return parseList(text);
  if (field?.kind !== 'choices') return text;
  return readWords(fieldName, text);
}

/** A text that is no JSON is handed on as it is: the rules say what is wrong with it. */
function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** A reference is null when each of its columns that the table has is empty. */
function clearReferences(cells: ReadonlyMap<string, string>, record: Row): void {
  for (const [name, field] of Object.entries<Field>(dish.fields)) {
    if (field.target === undefined || field.isRequired || field.kind === 'list') continue;
    const given = [name, externalName(name)].filter((column) => cells.has(column));
    if (given.length > 0 && given.every((column) => !(column in record))) record[name] = null;
  }
}

/** A record of a document from the cells of a row, by the names of their columns. */
export function fromCells(cells: ReadonlyMap<string, string>): Row {
  const record: Row = {};
  for (const column of dishColumns) {
    const text = cells.get(column.name)?.trim();
    if (text === undefined) continue;
    const { field, fieldName, locale } = column;
    if (locale) {
      // An empty cell takes the text in its language away.
      const others = record[fieldName] as Row | undefined;
      record[fieldName] = { ...others, [locale]: text || null };
    } else if (text !== '') {
      record[fieldName] = fromCell(column, text);
    } else if (field && (!SOLID.has(field.kind) || isNullableNumber(field))) {
      record[fieldName] = field.kind === 'choices' && fieldName !== 'allergens' ? [] : null;
    }
  }
  clearReferences(cells, record);
  return record;
}
