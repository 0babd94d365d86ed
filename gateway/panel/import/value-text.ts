import type { Field } from '../../../db/schema/field.ts';
import { type Locale, localize, readingIn, type Translations } from '../../../db/schema/locale.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type FormPlace, writePrice, writeWeekday } from '../forms/draft.ts';
import { toLocal } from '../forms/local-moment.ts';
import { sayWord } from '../texts/words.ts';

/** How values are written on a page. */
export interface Writing {
  say: Say;
  place: FormPlace;
}

/** A text in the page's language where it has one. */
export function textIn(language: Locale, text: unknown): string {
  if (text === null || typeof text !== 'object') return String(text ?? '');
  return localize(text as Translations, readingIn(language));
}

function listText(writing: Writing, name: string, { kind }: Field, list: readonly unknown[]) {
  const { say, place } = writing;
  if (list.length === 0) return say('import.none');
  const texts = list.map((one) => {
    if (kind === 'weekdays') return writeWeekday(Number(one), place.language);
    if (kind !== 'variants') return sayWord(say, name, String(one));
    const { label, price } = one as { label: unknown; price: unknown };
    return `${textIn(place.language, label)} ${writePrice(price, place.language)}`;
  });
  return texts.join(', ');
}

/** The value of a field, in words. */
export function valueText(writing: Writing, name: string, field: Field, value: unknown): string {
  const { say, place } = writing;
  if (value === null || value === undefined || value === '') {
    return say(name === 'allergens' ? 'editor.undeclared' : 'editor.empty');
  }
  if (Array.isArray(value)) return listText(writing, name, field, value);
  switch (field.kind) {
    case 'flag':
      return say(value === true ? 'editor.yes' : 'editor.no');
    case 'price':
      return writePrice(value, place.language);
    case 'choice':
      return sayWord(say, name, String(value));
    case 'moment':
      return value === 'indefinitely'
        ? say('editor.indefinitely')
        : toLocal(String(value), place.timezone).replace('T', ' ');
    default:
      return textIn(place.language, value) || say('editor.empty');
  }
}
