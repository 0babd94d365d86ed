import { additives, allergenKinds, dishLabels } from '../schema/dictionary.ts';
import type { Row } from '../schema/values/row.ts';
import { PANEL_LANGUAGES } from '../texts/catalogues.ts';
import type { Losses, Reported } from './report.ts';

// Words of services that name labels, kinds and additives, read only when they are exactly known.

const plain = (word: string) =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

interface Words {
  keys: readonly string[];
  in(locale: (typeof PANEL_LANGUAGES)[number]): { key: string; name: string }[];
}

/** The keys of words by their names in all languages of the panel. */
function byName(words: Words): (name: string) => string | null {
  const found = new Map<string, string>();
  for (const language of PANEL_LANGUAGES) {
    for (const { key, name } of words.in(language)) found.set(plain(name), key);
  }
  for (const key of words.keys) found.set(plain(key), key);
  return (name) => found.get(plain(name)) ?? null;
}

/** The English names of words, for services that take any text. */
function inEnglish(words: Words): (key: string) => string {
  const names = new Map(words.in('en').map(({ key, name }) => [key, name]));
  return (key) => names.get(key) ?? key;
}

export const englishLabel = inEnglish(dishLabels);
export const englishKind = inEnglish(allergenKinds);
export const englishAdditive = inEnglish(additives);

export const dishLabelNamed = byName(dishLabels);
export const kindNamed = byName(allergenKinds);
const additiveNamed = byName(additives);

/** The additives of a list of names; names that are not known are told. */
export function additivesNamed(losses: Losses, record: Reported, names: readonly string[]): Row {
  if (names.length === 0) return {};
  const found = names.map(additiveNamed);
  if (found.includes(null)) losses.lossy(record, 'additives', 'unknownTag');
  return { additives: found.filter((key) => key !== null) };
}

/** All labels: a service that names them by words knows each of them. */
export const ALL_LABELS: ReadonlySet<string> = new Set(dishLabels.keys);
