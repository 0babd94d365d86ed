import { additives, allergenKinds, dishLabels } from '../schema/dictionary.ts';
import { PANEL_LANGUAGES } from '../texts/catalogues.ts';

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

export const dishLabelNamed = byName(dishLabels);
export const kindNamed = byName(allergenKinds);
export const additiveNamed = byName(additives);

/** All labels: a service that names them by words knows each of them. */
export const ALL_LABELS: ReadonlySet<string> = new Set(dishLabels.keys);
