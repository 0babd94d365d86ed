import { entriesOf } from '../runtime/keys.ts';
import { textsByKey } from '../texts/catalogues.ts';
import { allergenNamed, labelNamed } from './choice-words.ts';
import { allergens, dishLabels } from './dictionary.ts';
import { dish } from './dish.ts';
import { dishColumns } from './dish-table.ts';
import type { Field } from './field.ts';
import { ALL_LOCALES, LANGUAGE_NAMES, LOCALES, type Locale } from './values/locale.ts';
import columns from './words/columns.json' with { type: 'json' };
import { wordsOf } from './words/read-words.ts';

// How owners and tills call the columns of their tables: the words stand in `words/columns.json`.

/** Columns of owners' tables that are no columns of ours: names of records, sizes, and ways to say a field. */
export const OWNERS_COLUMNS = [
  ...(['section', 'type', 'winery', 'size', 'size_name', 'size_name_2', 'size_name_3'] as const),
  ...(['is_hidden', 'in_stock', 'is_sold_out', 'handle', 'language'] as const),
] as const;

/** The meaning of a column: a name of `dishColumns`, one of `OWNERS_COLUMNS`, or none. */
type ColumnTarget = string;
export const NO_TARGET: ColumnTarget = '';

/** Columns of one allergen each, which say by a sign whether a dish contains it, by their target. */
export const ALLERGEN_COLUMNS: ReadonlyMap<ColumnTarget, string> = new Map(
  allergens.keys.map((key) => [`allergen_${key}`, key]),
);

/** Columns of one label each, which say yes or no. */
export const LABEL_COLUMNS: ReadonlyMap<ColumnTarget, string> = new Map(
  dishLabels.keys.map((key) => [`label_${key}`, key]),
);

/** Whether a table may have several such columns: sizes, and kinds of one allergen like nuts. */
export const isRepeatable = (target: ColumnTarget) =>
  target === 'size' || ALLERGEN_COLUMNS.has(target);

export const COLUMN_TARGETS: readonly ColumnTarget[] = [
  ...OWNERS_COLUMNS,
  ...ALLERGEN_COLUMNS.keys(),
  ...LABEL_COLUMNS.keys(),
  ...dishColumns.map(({ name }) => name),
];

/** Why a column whose header is understood is not imported: a cost is never published. */
export const LEFT_KINDS = [
  ...(['cost', 'net_price', 'sale_price', 'amount', 'tax', 'margin'] as const),
  ...(['stock', 'till', 'days', 'hours', 'repeated', 'chosen'] as const),
] as const;
export type LeftKind = (typeof LEFT_KINDS)[number];

/** Kinds of columns that say when a dish is sold: leaving one out changes what guests see. */
export const isTiming = (left: LeftKind | null) => left === 'days' || left === 'hours';

const AMOUNT = /^(ca )?[0-9]+([ .,][0-9]+)? ?(ml|cl|dl|l|lt|g|gr|kg|cm|pz|pcs|stk)$/;

const LANGUAGES: Partial<Record<Locale, string>> = {
  it: 'it, ita, italiano, italian, italien, italienisch',
  en: 'en, eng, gb, uk, inglese, english, anglais, englisch, ingles',
  fr: 'fr, fra, francese, french, francais, franzosisch, frances',
  de: 'de, deu, ger, tedesco, german, allemand, deutsch, aleman',
  es: 'es, esp, spa, spagnolo, spanish, espagnol, spanisch, espanol',
};
/** Letters that have no accent to take off. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ı: 'i' },
};

/** A name in the form in which names are compared: small letters, no accents and no marks. */
export function plainName(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæøłđı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}.,]+|[.,](?![0-9])/gu, ' ')
    .trim();
}

/** Words for languages: their codes, their own names and English ones, then what owners write. */
const languages = new Map<string, Locale>(
  ALL_LOCALES.flatMap((locale): [string, Locale][] => {
    const english = new Intl.DisplayNames('en', { type: 'language' }).of(locale) ?? '';
    const words = [locale, LANGUAGE_NAMES[locale], english].map(plainName);
    return words.filter(Boolean).map((word) => [word, locale]);
  }),
);
for (const [locale, words] of entriesOf(LANGUAGES)) {
  for (const word of wordsOf(words)) languages.set(word, locale);
}

/** The language that a word names, such as `de`, `Deutsch` or `de-AT`. */
export function languageNamed(word: string): Locale | undefined {
  return languages.get(plainName(word)) ?? languages.get(plainName(word.split(/[-_]/)[0] ?? ''));
}

/** The meaning of a header, before the cells below it are read. */
interface Meaning {
  target: ColumnTarget;
  left?: LeftKind;
  locale?: Locale | undefined;
  /** Of several columns of one meaning the least one counts. */
  rank?: number;
}

/** References that owners name by a record's name, by their field. */
const REFERENCES: Readonly<Record<string, ColumnTarget>> = {
  category_id: 'section',
  type_id: 'type',
  winery_id: 'winery',
};

/** Each name with its meaning; a text in several languages lacks its language. */
const meanings = new Map<string, Meaning>();
for (const [name, { options, input, kind }] of Object.entries<Field>(dish.fields)) {
  if (input === null || kind === 'list') continue;
  for (const locale of LOCALES) {
    const text = plainName(textsByKey(locale).get(options.label) ?? '');
    if (text !== '') meanings.set(text, { target: REFERENCES[name] ?? name });
  }
}
/** The second words of a field count where no column has a first one. */
const SECOND = '_second';
function addWords(lists: Readonly<Record<string, string>>, meaning: Meaning) {
  for (const list of Object.values(lists)) {
    for (const word of wordsOf(list)) meanings.set(plainName(word), meaning);
  }
}
for (const [name, lists] of Object.entries(columns.taken)) {
  const target = name.replace(SECOND, '');
  addWords(lists, { target, rank: target === name ? 1 : 2 });
}
for (const name of OWNERS_COLUMNS) {
  if (!meanings.has(plainName(name))) meanings.set(plainName(name), { target: name });
}
for (const left of LEFT_KINDS) {
  if (left !== 'repeated' && left !== 'chosen')
    addWords(columns.left[left], { target: NO_TARGET, left });
}

const sizes = new Set(Object.values(columns.sizes).flatMap(wordsOf));
const onlySizes = new Set(wordsOf(columns.only_size).map(plainName));

/** Whether a size is called so where a dish has no other one: `Regular`, `Default Title`. */
export const isOnlySize = (label: string) => onlySizes.has(plainName(label));

/** Our own columns by their names in small letters, for a header may be in capitals: `name_zh-Hans`. */
const own = new Map(dishColumns.map(({ name }) => [name.toLowerCase(), name]));
const ownName = (header: string) => own.get(header.trim().toLowerCase());
/** Ids of our records: in a table of somebody else they are those of somebody else. */
const ids = new Set(
  dishColumns.flatMap(({ name, field }) =>
    name === 'id' || field?.target !== undefined ? [name] : [],
  ),
);
const translated = new Set(
  dishColumns.flatMap(({ fieldName, locale }) => (locale ? [fieldName] : [])),
);

/** Marks and words before the name of an allergen: `7. Latte`, `Contains milk`. */
const BEFORE_ALLERGEN =
  /^[0-9]{0,2} *(contiene|contains|enthalt|contient|allergene|allergen|alergeno)? */;
const NOTE = /\(([^)]*)\)|\[([^\]]*)\]/g;

/** The kind of price that a note in brackets says: guests do not pay `Preis (netto)`. */
function leftByNote(header: string): LeftKind | undefined {
  const notes = [...header.matchAll(NOTE)].map(([note]) => plainName(note));
  const words = notes.flatMap((note) => [note, ...note.split(' ')]);
  return words.map((word) => meanings.get(word)?.left).find((left) => left !== undefined);
}

function textMeaning(plain: string): Meaning | null {
  const words = plain.split(' ');
  const locale = words.map((word) => languages.get(word)).find((one) => one !== undefined);
  if (!locale) return null;
  const rest = words.filter((word) => !languages.has(word)).join(' ');
  const target = rest === '' ? 'name' : meanings.get(rest)?.target;
  return target !== undefined && translated.has(target) ? { target, locale } : null;
}

function meaningOf(header: string): Meaning | null {
  const target = ownName(header);
  if (target !== undefined && !ids.has(target)) return { target, rank: 1 };
  const whole = meanings.get(plainName(header));
  if (whole) return whole;
  const plain = plainName(
    header.replace(NOTE, (note) => {
      // A note in brackets counts when it names a language: `Name (Deutsch)`.
      return languages.has(plainName(note)) ? note : ' ';
    }),
  );
  const known = meanings.get(plain);
  const left = known && leftByNote(header);
  if (left) return { target: NO_TARGET, left };
  // The price of one shop outweighs that of all: `Price [Trattoria]`.
  if (known) return /\[[^\]]*\p{L}{2}/u.test(header) ? { ...known, rank: 0 } : known;
  const named = plain.replace(BEFORE_ALLERGEN, '');
  // A number is no name: `Allergen 1` is the first of a list.
  const allergen = /\p{L}/u.test(named) ? allergenNamed(named) : undefined;
  if (allergen !== undefined) return { target: `allergen_${allergen}` };
  const label = labelNamed(plain);
  if (label !== undefined) return { target: `label_${label}` };
  const text = textMeaning(plain);
  if (text) return text;
  if (target !== undefined) return { target: NO_TARGET, left: 'till' };
  return sizes.has(plain) || AMOUNT.test(plain) ? { target: 'size' } : null;
}

const KEYS: readonly string[] = ['id', 'external_id', 'category_id', 'category_external_id'];

/**
 * Whether a header is one of our own tables: it has keys, and no column has a name that others use. An
 * `id` of another till would change foreign dishes.
 */
function isOwnTable(headers: readonly string[]): boolean {
  const hasKey = headers.some((header) => KEYS.includes(header.trim().toLowerCase()));
  return (
    hasKey && headers.every((header) => ownName(header) !== undefined || !meaningOf(header)?.target)
  );
}

/** The meaning of a column as its header tells it. */
export interface Guess {
  /** `NO_TARGET` where there is none. */
  target: ColumnTarget;
  /** Why a column that is understood is left out. */
  left: LeftKind | null;
  rank: number;
}
const UNKNOWN: Guess = { target: NO_TARGET, left: null, rank: 1 };

/**
 * The meaning of each column by its header; several may have the same.
 *
 * @param locale of texts whose language no header names
 */
export function guessColumns(headers: readonly string[], locale: Locale) {
  const isOwn = isOwnTable(headers);
  const guesses = headers.map((header): Guess => {
    const meaning = meaningOf(header);
    if (isOwn) {
      const target = ownName(header);
      return target ? { ...UNKNOWN, target } : { ...UNKNOWN, left: meaning?.left ?? null };
    }
    if (!meaning) return UNKNOWN;
    const { target: field, left = null, rank = 1 } = meaning;
    const target = translated.has(field) ? `${field}_${meaning.locale ?? locale}` : field;
    return { target, left, rank };
  });
  return { guesses, isOwn };
}
