import { entriesOf } from '../runtime/keys.ts';
import { additives, allergenKinds, allergens, dishLabels, type Entry } from './dictionary.ts';
import { LOCALES, type Locale } from './values/locale.ts';
import codes from './words/allergen-codes.json' with { type: 'json' };

// Words of owners' tables for what dishes contain. A word that is none of them is never left out.

/**
 * Short words beside the names of allergens, without accents and in small letters. A word that may
 * mean two of them, such as shellfish, is none: owners are asked, and guests read no guess.
 */
const ALLERGENS: Readonly<Record<string, string>> = {
  cereali_glutine:
    'glutine, grano, frumento, cereali, gluten, wheat, cereals, ble, cereales, weizen, getreide, trigo',
  crostacei: 'crostaceo, crustaceans, crustaces, krebstiere, krustentiere, crustaceos',
  uova: 'uovo, egg, eggs, oeuf, oeufs, ei, eier, huevo, huevos',
  pesce: 'pesci, fish, poisson, poissons, fisch, pescado',
  arachidi: 'arachide, peanut, peanuts, arachides, cacahuetes, erdnuss, erdnusse, cacahuete',
  soia: 'soy, soya, soja',
  latte: 'lattosio, latticini, milk, dairy, lactose, lait, milch, laktose, leche, lacteos, lactosa',
  frutta_guscio:
    'frutta secca, noci, nocciole, mandorle, nuts, tree nuts, fruits a coque, nusse, schalenfruchte, frutos secos, frutos de cascara',
  sedano: 'celery, celeri, sellerie, apio',
  senape: 'mustard, moutarde, senf, mostaza',
  sesamo: 'sesame, sesam',
  solfiti: 'solfito, anidride solforosa, sulphites, sulfites, sulfite, sulfiti, schwefel, sulfitos',
  lupini: 'lupino, lupin, lupins, lupine, lupinen, altramuces',
  molluschi: 'mollusco, molluscs, mollusks, mollusques, weichtiere, moluscos',
};

/** Words that say that a dish contains none of them. */
const NONE = new Set(['none', 'nessuno', 'aucun', 'keine', 'ninguno', 'no']);

function plain(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

function wordsOf(keys: readonly string[], entriesIn: (locale: Locale) => readonly Entry[]) {
  const named = LOCALES.flatMap((locale) =>
    entriesIn(locale).map(({ key, name }): [string, string] => [plain(name), key]),
  );
  return new Map([...named, ...keys.map((key): [string, string] => [key, key])]);
}

const allergenWords = new Map([
  ...wordsOf(allergens.keys, allergens.in),
  ...Object.entries(ALLERGENS).flatMap(([key, words]) =>
    words.split(', ').map((word): [string, string] => [word, key]),
  ),
]);
const words: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  allergens: allergenWords,
  traces: allergenWords,
  allergen_detail: wordsOf(allergenKinds.keys, allergenKinds.in),
  additives: wordsOf(additives.keys, additives.in),
  labels: wordsOf(dishLabels.keys, dishLabels.in),
};

/** A word of a cell: the key that it means, or a code such as `A`, which only its owner knows. */
interface CellWord {
  word: string;
  key: string | undefined;
  isCode: boolean;
}

const CODE = /^(\p{Nd}{1,2}\p{L}?|\p{L}\p{Nd}{0,2}|\p{Nd}{1,2}[.,]\p{Nd}{1,2})$/u;
/** Marks of lists around a word: `(A, C)`, `1) Gluten`. */
const MARKS = /^[([{]+|[)\]}.:*]+$/g;
const NUMBERED = /^\p{Nd}{1,2}[.):]*\s+(?=\p{L}{2})/u;
const AND = new Set(['e', 'ed', 'und', 'and', 'et', 'y', '&']);

/** The words of a cell of allergens, additives or labels; none where it says that there are none. */
export function cellWords(fieldName: string, text: string): CellWord[] {
  const known = words[fieldName] ?? new Map<string, string>();
  if (NONE.has(plain(text))) return [];
  const asWord = (word: string): CellWord => ({ word, key: known.get(plain(word)), isCode: false });
  return text.split(/[,;|/\n•+]+/).flatMap((part) => {
    const word = part.trim().replace(NUMBERED, '');
    if (plain(word) === '') return [];
    const whole = asWord(word);
    if (whole.key) return [whole];
    const parts = word
      .split(/\s+/)
      .map((one) => one.replace(MARKS, ''))
      .filter((one) => one !== '');
    if (parts.length > 0 && parts.every((one) => CODE.test(one))) {
      return parts.map((one) => ({ word: one, key: undefined, isCode: true }));
    }
    return parts.filter((one) => !AND.has(plain(one))).map(asWord);
  });
}

/**
 * The keys of a cell. A word without a meaning stays as it is: the rules refuse it. The same holds
 * for a cell of signs alone, such as `/`.
 */
export function readWords(fieldName: string, text: string): string[] {
  if (NONE.has(plain(text))) return [];
  const keys = cellWords(fieldName, text).map(({ word, key }) => key ?? word);
  return keys.length === 0 ? [text] : [...new Set(keys)];
}

/** The allergen that a name above a column or in a cell means; undefined for other names. */
export function allergenNamed(text: string): string | undefined {
  return allergenWords.get(plain(text));
}

/** The number of an allergen in EU Regulation 1169/2011, in whose order the keys stand, from 1. */
export const euNumber = (key: string) =>
  String(allergens.keys.indexOf(key as (typeof allergens.keys)[number]) + 1);

/** The label of dishes that a name above a column means; undefined for other names. */
export function labelNamed(text: string): string | undefined {
  return words.labels?.get(plain(text));
}

/** The meanings that a sign in a column of one allergen may have. */
export const SIGN_MEANINGS = ['contained', 'traces', 'absent', 'unknown'] as const;
export type SignMeaning = (typeof SIGN_MEANINGS)[number];

/** A code of a list of allergens that says nothing of them. */
export const NO_CODE = 'ignored';
/** The meanings of codes in lists of allergens or additives: one of them, or nothing. */
export const CODE_MEANINGS: readonly string[] = [
  ...allergens.keys,
  ...additives.keys.map((key) => `additive_${key}`),
  NO_CODE,
];

/** The keys of codes that many houses use; which one a table follows only its owner knows. */
export const CODE_KEYS = [
  'eu_numbers',
  'german_additives',
  'austrian_letters',
  'eu_letters',
] as const;
export type CodeKey = (typeof CODE_KEYS)[number];
const codeKeys: Readonly<Record<CodeKey, Readonly<Record<string, string>>>> = codes;

/** The meaning of a code in the form of `plainSign` by one of these keys. */
export const codeMeaning = (key: CodeKey, sign: string): string | undefined => codeKeys[key][sign];

/**
 * Signs of owners in columns of allergens, by their meaning. A sign that people use for several things,
 * such as `?`, `o` or `(x)`, is none, and neither is the empty cell: owners are asked.
 */
const SIGNS: Readonly<Partial<Record<SignMeaning, string>>> = {
  contained:
    'x, ✓, ✔, ✅, ●, •, 1, si, yes, y, ja, oui, true, vero, vrai, wahr, verdadero, contiene, contains, ' +
    'enthalten, enthalt, contient, presente, present',
  traces:
    'tracce, traccia, traces, trace, spuren, trazas, puo contenere, puo contenere tracce, may contain, ' +
    'may contain traces, kann enthalten, kann spuren enthalten, peut contenir, peut contenir des traces, ' +
    'puede contener, puede contener trazas',
  absent:
    '0, no, non, nein, n, -, –, —, false, falso, faux, falsch, assente, senza, absent, none, without, ' +
    'ohne, sans, sin, frei',
};
const signs = new Map(
  entriesOf(SIGNS).flatMap(([meaning, list]) =>
    list.split(', ').map((sign) => [sign, meaning] as const),
  ),
);

/** A sign in the form in which signs are compared. */
export const plainSign = (text: string) => plain(text).replace(/(?<=\p{L})\.$/u, '');

/** The meaning of a sign in the form of `plainSign`; undefined when its owner has to say it. */
export function knownSign(sign: string): SignMeaning | undefined {
  return signs.get(sign);
}
