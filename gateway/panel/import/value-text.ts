import type { Field } from '../../../db/schema/field.ts';
import type { Row } from '../../../db/schema/record.ts';
import {
  type Locale,
  localize,
  readingIn,
  type Translations,
} from '../../../db/schema/values/locale.ts';
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

/** An object of a list: its parts that say something, in their order. */
function rowText(writing: Writing, parts: Readonly<Record<string, Field>>, row: Row): string {
  const said = Object.entries(parts).flatMap(([name, part]) => {
    const value = row[name] ?? null;
    const isNothing = value === null || value === '' || value === false;
    return isNothing || isEmptyMap(value) ? [] : [valueText(writing, name, part, value)];
  });
  return said.join(' ');
}

const isEmptyMap = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function listText(
  writing: Writing,
  name: string,
  { kind, parts }: Field,
  list: readonly unknown[],
): string {
  const { say, place } = writing;
  if (list.length === 0) return say('import.none');
  if (parts) return list.map((row) => rowText(writing, parts, row as Row)).join('; ');
  const texts = list.map((one) => {
    if (kind === 'weekdays') return writeWeekday(Number(one), place.language);
    return kind === 'urls' ? String(one) : sayWord(say, name, String(one));
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
      return writePrice(value, place);
    case 'choice':
      return sayWord(say, name, String(value));
    case 'instant':
    case 'moment':
      return value === 'indefinitely'
        ? say('editor.indefinitely')
        : toLocal(String(value), place.timezone).replace('T', ' ');
    default:
      return textIn(place.language, value) || say('editor.empty');
  }
}
