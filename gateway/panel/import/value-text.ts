import { DOCUMENT_FORMAT } from '../../../db/schema/bulk.ts';
import { sayBroken } from '../../../db/schema/error-sentences.ts';
import type { Field } from '../../../db/schema/field.ts';
import { records } from '../../../db/schema/registry.ts';
import { bodyRules } from '../../../db/schema/validation/messages.ts';
import type { Broken, FieldErrors, RuleName } from '../../../db/schema/validation/rule.ts';
import { countryName } from '../../../db/schema/values/country.ts';
import {
  isLocale,
  LANGUAGE_NAMES,
  type Locale,
  localize,
  readingIn,
  textsIn,
} from '../../../db/schema/values/locale.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import { listIn, type Row, rowsIn } from '../../../db/schema/values/row.ts';
import type { Say } from '../../../db/texts/say.ts';
import {
  type FormPlace,
  isNothing,
  writeDecimal,
  writePrice,
  writeWeekday,
} from '../forms/draft.ts';
import { dateIn, momentIn } from '../pages/moment.ts';
import { sayWord } from '../texts/choose.ts';

/** How values are written on a page. */
export interface Writing {
  say: Say;
  place: FormPlace;
}

/** A text in the page's language where it has one. */
export function textIn(language: Locale, text: unknown): string {
  if (text === null || typeof text !== 'object') return String(text ?? '');
  return localize(textsIn(text), readingIn(language));
}

/** An object of a list: its parts that say something, in their order; a span is `12:00–15:00`. */
function rowText(writing: Writing, parts: Readonly<Record<string, Field>>, row: Row): string {
  let said = '';
  for (const [name, part] of Object.entries(parts)) {
    const value = row[name] ?? null;
    const start = name.endsWith('_end') ? row[name.replace('_end', '_start')] : null;
    if (isNothing(value) || value === part.options.default || value === start) continue;
    const isYes = part.kind === 'flag' && value === true;
    const text = isYes ? writing.say(part.options.label) : valueText(writing, name, part, value);
    said += (start ? '–' : said && ' ') + text;
  }
  return said;
}

function listText(
  writing: Writing,
  name: string,
  { kind, parts }: Field,
  list: readonly unknown[],
): string {
  const { say, place } = writing;
  if (list.length === 0) return say('import.none');
  if (parts)
    return rowsIn(list)
      .map((row) => rowText(writing, parts, row))
      .join('; ');
  const texts = list.map((one) => {
    if (kind === 'weekdays') return writeWeekday(Number(one), place);
    // Records that a list names have names in languages.
    if (typeof one === 'object') return textIn(place.language, one);
    return kind === 'urls' ? String(one) : sayWord(say, name, String(one));
  });
  return texts.join(', ');
}

/** Whether a dish is available, and until when it is not. */
function soldOutValue({ say, place }: Writing, value: unknown): string {
  if (value === null || value === undefined) return say('editor.available');
  if (value === 'indefinitely') return say('editor.indefinitely');
  return say('editor.untilMoment', { at: momentIn(place, String(value)) });
}

export function valueText(writing: Writing, name: string, field: Field, value: unknown): string {
  const { say, place } = writing;
  if (field.options.isAvailability && field.kind === 'moment') return soldOutValue(writing, value);
  if (value === null || value === undefined || value === '') {
    return say(name === 'allergens' ? 'editor.undeclared' : 'editor.empty');
  }
  if (Array.isArray(value)) return listText(writing, name, field, value);
  switch (field.kind) {
    case 'flag':
      return say(value === true ? 'editor.yes' : 'editor.no');
    case 'decimal':
      return writeDecimal(value, place);
    case 'country':
      return countryName(String(value), place.language);
    case 'price':
      return writePrice(value, place);
    case 'choice':
      return sayWord(say, name, String(value));
    case 'date':
      return dateIn(place, String(value));
    case 'instant':
    case 'moment':
      return momentIn(place, String(value));
    default:
      return textIn(place.language, value) || say('editor.empty');
  }
}

/** The label for the field of an error, such as `name.it` or `category_external_id`. */
export function errorLabel(say: Say, resource: Resource | null, key: string): string {
  const [name = '', ...rest] = key.split('.');
  const fields: Readonly<Record<string, Field>> = resource ? records[resource].fields : {};
  const own = name.replace(/_external_id$/, '_id');
  const field = Object.hasOwn(fields, own) ? fields[own] : undefined;
  if (!field) return key;
  const language = rest.find(isLocale);
  const label = say(field.options.label);
  return language ? `${label} (${LANGUAGE_NAMES[language]})` : label;
}

/**
 * The text of a broken rule in a file; of one that has a list, with the list.
 *
 * @param key of the error, such as `allergens.0`
 */
export function errorText(say: Say, one: Broken, key = ''): string {
  const text = sayBroken(say, one);
  if (one.rule !== 'oneOf') return text;
  const [name = ''] = key.split('.');
  const words = listIn(one.values).map((word) => sayWord(say, name, String(word)));
  return `${text} (${words.join(', ')})`;
}

/** Rules about a file as a whole, whose text names what is wrong. */
const ABOUT_FILE: ReadonlySet<RuleName> = new Set(bodyRules);

/** The errors of a file as a whole. */
export function wholeErrors(say: Say, errors: FieldErrors): string[] {
  return Object.entries(errors).flatMap(([key, rules]) =>
    rules.map((one) => {
      const isNoMenu = key === 'format' || (key === 'body' && one.rule === 'format');
      if (isNoMenu) return say('import.noMenu', { n: DOCUMENT_FORMAT });
      const text = errorText(say, one);
      return key === 'menu' || ABOUT_FILE.has(one.rule) ? text : `${key}: ${text}`;
    }),
  );
}
