import { isLocale, LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import { isTextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';

/** The text for a word of a choice; the word itself when it has no text yet. */
export function sayWord(say: Say, field: string, word: string): string {
  if (/_locales?$/.test(field) && isLocale(word)) return LANGUAGE_NAMES[word];
  const topic = field === 'traces' ? 'allergens' : field;
  const key = [`words.${topic}.${word}`, `${topic}.${word}`].find(isTextKey);
  return key ? say(key) : word;
}
