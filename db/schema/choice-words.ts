import { entriesOf } from '../runtime/keys.ts';
import { additives, allergenKinds, allergens, dishLabels, type Entry } from './dictionary.ts';
import { LOCALES, type Locale } from './values/locale.ts';

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

function wordsOf(
  keys: readonly string[],
  entriesIn: (locale: Locale) => readonly Entry[],
): Map<string, string> {
  const named = LOCALES.flatMap((locale) =>
    entriesIn(locale).map(({ key, name }): [string, string] => [plain(name), key]),
  );
  return new Map([...named, ...keys.map((key): [string, string] => [key, key])]);
}

const allergenWords = new Map([
  ...wordsOf(allergens.keys, allergens.in),
  // The numbers of EU Regulation 1169/2011, in whose order the keys stand.
  ...allergens.keys.map((key, at): [string, string] => [String(at + 1), key]),
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

/**
 * The keys of a cell. A word without a meaning stays as it is: the rules refuse it. The same holds
 * for a cell of signs alone, such as `/`.
 */
export function readWords(fieldName: string, text: string): string[] {
  const known = words[fieldName] ?? new Map<string, string>();
  if (NONE.has(plain(text))) return [];
  const keys = text.split(/[,;|/\n•+]+/).flatMap((part) => {
    const word = plain(part);
    if (word === '') return [];
    const key = known.get(word);
    return key
      ? [key]
      : part
          .trim()
          .split(/\s+/)
          .map((one) => known.get(plain(one)) ?? one);
  });
  return keys.length === 0 ? [text] : [...new Set(keys)];
}

/** The allergen that a name above a column or in a cell means; undefined for other names. */
export function allergenNamed(text: string): string | undefined {
  return allergenWords.get(plain(text));
}

/** The meanings that a sign in a column of one allergen may have. */
export const SIGN_MEANINGS = ['contained', 'traces', 'absent', 'unknown'] as const;
export type SignMeaning = (typeof SIGN_MEANINGS)[number];

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
