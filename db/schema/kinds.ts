import * as v from 'valibot';
import {
  declaredOptions,
  type Field,
  type FieldKind,
  type FieldOptions,
  type Fields,
  type FieldWords,
  type ReferenceWords,
  type ShownOf,
} from './field.ts';
import { withoutOrigin } from './media-origin.ts';
import type { Embedded, RecordType } from './record.ts';
import {
  dateInput,
  nullableInstant,
  nullableMoment,
  nullableTime,
  nullableWeekdays,
} from './validation/date-fields.ts';
import { described } from './validation/described-as.ts';
import {
  flagInput,
  formattedTextInput,
  integer,
  listInput,
  localizedTextInput,
  MAX_KEY_LENGTH,
  nullableKey,
  oneOfInput,
  priceInput,
  referenceInput,
  requiredFormInput,
  requiredLocalizedTextInput,
  requiredTextInput,
  requiredTranslationsInput,
  textInput,
  urlInput,
  urlOrPathInput,
  urlsInput,
} from './validation/input-fields.ts';
import { rule } from './validation/rule.ts';
import { translationsSchema } from './values/locale.ts';
import { integerSchema } from './values/record-id.ts';
import type { Collection } from './values/resource.ts';

// The kinds of fields from which records are declared. Each joins what is stored and shown with what a
// body may hold.

/**
 * A field of a kind that has no function of its own; its record or list gives it its label.
 *
 * @param usual the default of all fields of the kind
 */
export function field<T>(
  kind: FieldKind,
  value: v.GenericSchema<unknown, T>,
  body: v.GenericSchema | null,
  words: FieldWords,
  usual: Pick<FieldOptions, 'default'> = {},
): Field<T, false, true> {
  return {
    kind,
    value,
    input: body,
    isRequired: false,
    isTranslated: false,
    isPublic: true,
    options: { ...usual, ...declaredOptions(words) } as FieldOptions,
  };
}

/** A body that creates a record must have it. */
export function required<F extends Field>(of: F): F {
  return { ...of, isRequired: true };
}

/** Guests' JSON, and an object of a list, have it only where it differs from its default. */
export function sparse<F extends Field>(of: F): F & { isSparse: true } {
  return { ...of, isSparse: true };
}

/** Admins alone see it. */
export function adminOnly<T, D extends boolean>(of: Field<T, D, true>): Field<T, D, false> {
  return { ...of, isPublic: false };
}

/** It is never written by a body. */
export function readOnly<F extends Field>(of: F): F & { input: null } {
  return { ...of, input: null };
}

/** A text in one language; empty when there is none. */
export function text(max: number, words: FieldWords) {
  return field('text', v.string(), textInput(max), words, { default: '' });
}

/** A text in one language that must not be blank. */
export function requiredText(max: number, words: FieldWords) {
  return required(field('text', v.string(), requiredTextInput(max), words));
}

/** A text in some of the languages of menus; a plain text is one in the default language. */
export function translations(max: number, words: FieldWords) {
  const body = localizedTextInput(max, 'object');
  const text = field('text', translationsSchema, body, words, { default: {} });
  return { ...text, isTranslated: true as const };
}

/** A text in the languages of menus that must be there in Italian. */
export function requiredTranslations(max: number, words: FieldWords) {
  const text = field('text', translationsSchema, requiredTranslationsInput(max), words);
  return required({ ...text, isTranslated: true as const });
}

/**
 * A text of a form, or the empty text.
 *
 * @param form its form in English
 */
export function formattedText(
  max: number,
  pattern: RegExp,
  rule: string,
  form: string,
  words: FieldWords,
) {
  const body = formattedTextInput(max, pattern, rule, form);
  return field('text', v.string(), body, words, { default: '' });
}

/** A text of a form that must not be blank. */
export function requiredForm(max: number, pattern: RegExp, rule: string, words: FieldWords) {
  return field('text', v.string(), requiredFormInput(max, pattern, rule), words);
}

const COLOR = /^#[0-9A-Fa-f]{6}$/;
const colorSchema = v.pipe(v.string(), v.regex(COLOR));

/** `#RRGGBB` */
export function color(words: FieldWords) {
  return field('color', colorSchema, requiredFormInput(7, COLOR, 'color'), words);
}

/** An absolute address, or the empty text. */
export function url(words: FieldWords) {
  return field('url', v.string(), urlInput(), words, { default: '' });
}

/** An absolute address, or null; a blank one is null. */
export function nullableUrl(words: FieldWords) {
  const body = v.pipe(
    urlInput(),
    v.transform((given) => given || null),
  );
  return field('url', v.nullable(v.string()), body, words, { default: null });
}

/** An absolute address or a path of the restaurant's host, or the empty text. */
export function urlOrPath(words: FieldWords) {
  return field('url', v.string(), urlOrPathInput(), words, { default: '' });
}

export function flag(words: FieldWords) {
  return field('flag', v.boolean(), flagInput(), words, { default: false });
}

/** Whether guests see a record. A new one is visible. */
export function visibility(description: string) {
  const label = 'fields.any.is_active' as const;
  return flag({ label, description, default: true });
}

/** A place among siblings: those with a lower number come first. A new record comes last. */
export function displayOrder(description: string) {
  const label = 'fields.any.display_order' as const;
  return field('integer', integerSchema, integer(0), { label, description });
}

/** In the restaurant's currency. */
export function price(words: FieldWords) {
  return field('price', v.number(), priceInput(), words, { default: 0 });
}

/** In the restaurant's currency. */
export function requiredPrice(words: FieldWords) {
  return required(field('price', v.number(), priceInput(), words));
}

/** `HH:MM` in the restaurant's local time. */
const TIME_OF_DAY = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const timeSchema = v.nullable(v.pipe(v.string(), v.regex(TIME_OF_DAY)));

/** `HH:MM` in the restaurant's local time, or null. */
export function time(words: FieldWords) {
  return field('time', timeSchema, nullableTime(TIME_OF_DAY), words, { default: null });
}

/**
 * One of a few words.
 *
 * @param value the schema of the word
 */
export function choice<const T extends readonly string[]>(
  value: v.PicklistSchema<T, undefined>,
  words: FieldWords,
) {
  const body = oneOfInput(value.options, declaredOptions(words).broken);
  return { ...field('choice', value, body, words), values: value.options };
}

/**
 * Some of a few words.
 *
 * @param value the schema of one of them
 */
export function choices<const T extends readonly string[]>(
  value: v.PicklistSchema<T, undefined>,
  words: FieldWords,
) {
  const body = listInput(value.options, { type: ['array', 'null'] });
  const some = field('choices', v.array(value), body, words, { default: [] });
  return { ...some, values: value.options };
}

/** As `choices`, at least one of them. */
export function someChoices<const T extends readonly string[]>(
  value: v.PicklistSchema<T, undefined>,
  words: FieldWords,
) {
  const some = listInput(
    value.options,
    { type: 'array', minItems: 1 },
    declaredOptions(words).broken,
  );
  const body = v.pipe(some, v.minLength(1, 'required'));
  return { ...field('choices', v.array(value), body, words), values: value.options };
}

/** The id of a record that must be there. */
export function reference(target: Collection, words: ReferenceWords) {
  return { ...required(field('reference', integerSchema, referenceInput(), words)), target };
}

/** The id of a record, or null. */
export function nullableReference(target: Collection, words: ReferenceWords) {
  const value = v.nullable(integerSchema);
  const body = v.nullable(referenceInput());
  return { ...field('reference', value, body, words, { default: null }), target };
}

/**
 * The record that a reference of the same record names, as guests see it; null without one.
 *
 * @param via the name of that reference
 */
export function embedded<F extends Fields>(
  via: string,
  record: RecordType<F>,
  words: FieldWords,
): Embedded<ShownOf<F> | null> {
  const value = v.nullable(record.shown);
  const erased = record as unknown as RecordType;
  return { ...field('embedded', value, null, words), via, record: erased };
}

/** The restaurant's address: the first label of its host name. */
export function slug(words: FieldWords) {
  return field('slug', v.string(), null, words);
}

/** A translated text that used to be one plain text: bodies may send either. */
export function localizedText(max: number, words: FieldWords) {
  const body = localizedTextInput(max);
  const text = field('localized', translationsSchema, body, words, { default: {} });
  return { ...text, isTranslated: true as const };
}

/** A key that an integrator gives a record, unique among the records of its kind; admins see it. */
export function externalId() {
  const value = v.nullable(v.pipe(v.string(), v.maxCodePoints(MAX_KEY_LENGTH)));
  return adminOnly(
    field('text', value, nullableKey(), {
      label: 'fields.any.external_id',
      description: 'A key of the client’s own, unique among the restaurant’s records of this kind.',
      default: null,
    }),
  );
}

/** As `choices`; null in a body means that nothing is declared, which is not the empty list. */
export function declaredChoices<const T extends readonly string[]>(
  value: v.PicklistSchema<T, undefined>,
  words: FieldWords,
) {
  const body = v.nullable(listInput(value.options, { type: 'array' }));
  return { ...field('choices', v.array(value), body, words), values: value.options };
}

export function wholeNumber(words: FieldWords) {
  return field('integer', integerSchema, integer(0), words, { default: 0 });
}

/** A whole number from 0 to 100. */
export function percentage(words: FieldWords) {
  return field('integer', integerSchema, integer(0, 100), words);
}

/** The address of a file of the restaurant, which is stored as a path. */
export function mediaAddress(words: FieldWords) {
  const view = (stored: unknown) => withoutOrigin(String(stored));
  const address = field('url', v.string(), null, words, { default: '' });
  return { ...address, shown: { schema: v.string(), view } };
}

const sourceSchema = v.object({
  width: described(integerSchema, 'In pixels.'),
  url: described(v.string(), 'The address of the file.'),
});
type Sources<F extends string> = Record<F, v.InferOutput<typeof sourceSchema>[]>;

/** The addresses of the files of a picture by their formats, which are stored as paths. */
export function mediaSources<const F extends string>(formats: readonly F[], words: FieldWords) {
  const list = v.array(sourceSchema);
  const entries = Object.fromEntries(
    formats.map((format) => [format, described(list, `Its files as ${format}.`)]),
  );
  const schema = v.object(entries) as unknown as v.GenericSchema<unknown, Sources<F>>;
  const view = (stored: unknown) =>
    Object.fromEntries(
      Object.entries(stored as Sources<F>).map(([format, files]) => [
        format,
        (files as Sources<F>[F]).map(({ width, url }) => ({ width, url: withoutOrigin(url) })),
      ]),
    );
  const none = Object.fromEntries(formats.map((format) => [format, []]));
  return {
    ...field('sources', schema, null, words, { default: none }),
    shown: { schema, view },
  };
}

export function computedFlag(words: FieldWords) {
  const flagged = field('flag', v.boolean(), null, words, { default: false });
  return { ...flagged, isGenerated: true as const };
}

/** `YYYY-MM-DD`, or null. */
export function date(words: FieldWords) {
  const value = v.nullable(v.pipe(v.string(), v.isoDate()));
  return field('date', value, v.nullable(dateInput()), words, { default: null });
}

/** Days from 1, Monday, to 7; null for all. */
export function weekdays(words: FieldWords) {
  const value = v.nullable(v.array(v.pipe(v.number(), v.minValue(1), v.maxValue(7))));
  return field('weekdays', value, nullableWeekdays(), words, { default: null });
}

/** A moment in UTC; null for none, and for one that never comes. */
export function moment(words: FieldWords) {
  const value = v.nullable(v.string());
  return field('moment', value, nullableMoment(), words, { default: null });
}

/** A moment in UTC, or null. */
export function instant(words: FieldWords) {
  const value = v.nullable(v.string());
  return field('instant', value, nullableInstant(), words, { default: null });
}

/** A text that must not be blank, by language or as one in the restaurant's default language. */
export function requiredLocalizedText(max: number, words: FieldWords) {
  const text = field('localized', translationsSchema, requiredLocalizedTextInput(max), words);
  return required({ ...text, isTranslated: true as const });
}

/** `HH:MM` in the restaurant's local time. */
export function requiredTime(words: FieldWords) {
  const value = v.pipe(v.string(), v.regex(TIME_OF_DAY));
  const broken = rule('dateFormat', { format: 'HH:MM' });
  const body = v.pipe(v.string('string'), v.trim(), v.regex(TIME_OF_DAY, broken));
  return required(field('time', value, body, words));
}

/** `YYYY-MM-DD` */
export function requiredDate(words: FieldWords) {
  return required(field('date', v.pipe(v.string(), v.isoDate()), dateInput(), words));
}

/** Absolute addresses, each once. */
export function urls(max: number, words: FieldWords) {
  return field('urls', v.array(v.string()), urlsInput(max), words, { default: [] });
}
