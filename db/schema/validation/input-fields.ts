import * as v from 'valibot';
import { currencyDecimals, fitsCurrency, hasDecimals, USUAL_CURRENCY } from '../values/currency.ts';
import {
  ALL_LOCALES,
  FALLBACK_LOCALE,
  inOrder,
  type Locale,
  type Translations,
} from '../values/locale.ts';
import { MAX_INTEGER } from '../values/record-id.ts';
import { describedAs, type JsonSchema } from './described-as.ts';
import { oneOfRule, rule } from './rule.ts';
import { hasVisibleText, oneForm, safeLine, safeLines } from './safe-text.ts';

// The fields of the admin API's bodies. A message is the rule that is broken;
// `checkInput` turns it into Italian when it knows the field, and makes null of blank texts before.

/** Without the blanks around it when it is a text, and null when nothing is left of it. */
export function blankToNull(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() || null : value;
}

/** In characters as people and JSON Schema count them: an emoji is one. */
function longest(max: number) {
  return v.maxCodePoints<string, number, string>(max, rule('maxLength', { max }));
}

/** From this length on, in characters, a text may have several lines: a description, not a name. */
const LINES_FROM = 500;

function safe(max: number) {
  return max < LINES_FROM ? safeLine : safeLines;
}

const seenText = v.pipe(
  v.string('string'),
  v.trim(),
  oneForm,
  v.nonEmpty('required'),
  v.check(hasVisibleText, 'required'),
);

/** A text that must not be blank. */
export function requiredTextInput(max: number) {
  return v.pipe(seenText, safe(max), longest(max));
}

/**
 * A text that may be blank: null is the empty text, and so is one without a visible character.
 *
 * @param shown what else is to be said of it
 */
export function textInput(max: number, shown: JsonSchema = {}) {
  return v.pipe(uncheckedText(max, shown), oneForm, safe(max), longest(max));
}

function uncheckedText(max: number, shown: JsonSchema) {
  return v.pipe(
    v.nullable(v.string('string')),
    describedAs({ maxLength: max, ...shown }),
    v.transform((given) => (given && hasVisibleText(given) ? given.trim() : '')),
  );
}

/**
 * A text of a form, or the empty text.
 *
 * @param description the form in words
 */
export function formattedTextInput(max: number, form: RegExp, broken: string, description: string) {
  return v.pipe(
    uncheckedText(max, { description }),
    // A text that is too long is refused for its length, so this rule does not read it.
    v.check((given) => given === '' || given.length > 2 * max || form.test(given), broken),
    oneForm,
    safe(max),
    longest(max),
  );
}

/** A text of a form that must not be blank; what is of another form is refused for that first. */
export function requiredFormInput(max: number, form: RegExp, broken: string) {
  return v.pipe(seenText, v.regex(form, broken), safe(max), longest(max));
}

/** In characters. */
const MAX_URL = 2_048;
/** A URL's host may hold more than a name: a semicolon, say, which means something in a header. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

function isWebAddress(given: string): boolean {
  // A text that is too long is refused for its length, so this rule stops here.
  if (given.length > 2 * MAX_URL) return true;
  if (!URL.canParse(given) || !/^https?:\/\/\S+$/i.test(given)) return false;
  return HOST.test(new URL(given).hostname);
}

const ABSOLUTE = 'An absolute address with `https://` or `http://`';
const UNBROKEN = 'No blanks in it; empty for none.';

/** An absolute address of the web, or the empty text. */
export function urlInput() {
  return v.pipe(
    textInput(MAX_URL, { description: `${ABSOLUTE}. ${UNBROKEN}` }),
    v.check((given) => given === '' || isWebAddress(given), 'format'),
  );
}

/**
 * The address of a file that a page loads, or a path below the restaurant's own, or the empty text. A
 * page loads no file over plain http, and browsers take two slashes, of either kind, for the beginning
 * of a host.
 */
export function urlOrPathInput() {
  const description = `An absolute address with \`https://\`, or a path that begins with one \`/\`. ${UNBROKEN}`;
  return v.pipe(
    textInput(MAX_URL, { description }),
    v.check(
      (given) =>
        given === '' ||
        /^\/(?![/\\])\S*$/.test(given) ||
        (/^https:/i.test(given) && isWebAddress(given)),
      'format',
    ),
  );
}

/** The rule that a text names a language of menus. */
export const languageRule = rule('language', { values: ALL_LOCALES });

/** One of `values`. @param broken the rule that others break */
export function oneOfInput<const T extends readonly string[]>(
  values: T,
  broken = oneOfRule(values),
) {
  return v.pipe(
    v.string('string'),
    describedAs({ type: 'string', enum: values }),
    v.trim(),
    v.picklist(values, broken),
  );
}

const TRUTHS: ReadonlySet<unknown> = new Set([true, 1, '1', 'true']);

export function flagInput() {
  return v.pipe(
    v.union([v.boolean(), v.picklist([0, 1]), v.picklist(['0', '1', 'true', 'false'])], 'boolean'),
    describedAs({ type: 'boolean' }),
    v.transform((given) => TRUTHS.has(given)),
  );
}

/** A number, or digits that mean one; the API's document tells of the number alone. */
function numberOrDigits(digits: RegExp, broken: string, range: JsonSchema) {
  return v.pipe(
    v.union([v.number(broken), v.pipe(v.string(), v.trim(), v.regex(digits, broken))], broken),
    describedAs(range),
    v.transform(Number),
  );
}

// More digits than any field takes: so many are a number, and one that is too large.
export const WHOLE = /^[+-]?[0-9]{1,100}$/;
const DECIMAL = /^[+-]?(?=\.?[0-9])[0-9]{0,100}(\.[0-9]{0,100})?([eE][+-]?[0-9]{1,3})?$/;

export function integer(min: number, max = MAX_INTEGER) {
  return v.pipe(
    numberOrDigits(WHOLE, 'integer', { type: 'integer', minimum: min, maximum: max }),
    v.integer('integer'),
    v.minValue(min, rule('min', { min })),
    v.maxValue(max, rule('max', { max })),
  );
}

/** A number of JSON, and no digits of a form. */
export function plainNumber(min: number, max: number, isWhole = false) {
  const number = v.number('numeric');
  return v.pipe(
    isWhole ? v.pipe(number, v.integer('integer')) : number,
    v.minValue(min, rule('min', { min })),
    v.maxValue(max, rule('max', { max })),
  );
}

/** A number with at most so many decimals. */
export function decimal(min: number, max: number, decimals: number) {
  return v.pipe(
    numberOrDigits(DECIMAL, 'numeric', { type: 'number', minimum: min, maximum: max }),
    v.minValue(min, rule('min', { min })),
    v.maxValue(max, rule('max', { max })),
    v.check((given) => hasDecimals(given, decimals), rule('decimals', { max: decimals })),
  );
}

const MAX_PRICE = 99_999_999.99;
const PRICE_DESCRIPTION =
  'With at most as many decimals as the restaurant’s currency has by ISO 4217: 2 for EUR, 0 for JPY.';

/**
 * A price in the restaurant's currency. The language of the check, which valibot hands to every part,
 * is the currency's code.
 */
export function priceInput() {
  return v.pipe(
    numberOrDigits(DECIMAL, 'numeric', {
      type: 'number',
      minimum: 0,
      maximum: MAX_PRICE,
      description: PRICE_DESCRIPTION,
    }),
    v.minValue(0, rule('min', { min: 0 })),
    v.maxValue(MAX_PRICE, rule('max', { max: MAX_PRICE })),
    v.rawCheck(({ dataset, config, addIssue }) => {
      const { lang: currency = USUAL_CURRENCY } = config;
      if (!dataset.typed || fitsCurrency(dataset.value, currency)) return;
      addIssue({ message: rule('decimals', { max: currencyDecimals(currency) }) });
    }),
  );
}

const ID_RANGE = { type: 'integer', minimum: 1, maximum: MAX_INTEGER };

/** The id of a record that the worker looks for. */
export function referenceInput() {
  return v.pipe(
    numberOrDigits(WHOLE, 'integer', ID_RANGE),
    v.integer('integer'),
    v.check((id) => id >= 1 && id <= MAX_INTEGER, 'invalid'),
  );
}

/**
 * At most `max` entries, each once; null is none.
 *
 * @param items the words for an entry, and `more` those for the list
 */
export function distinctInput<const E extends v.GenericSchema>(
  max: number,
  entry: E,
  items: JsonSchema,
  more: JsonSchema = {},
) {
  return v.pipe(
    v.nullable(v.array(v.unknown(), 'array')),
    describedAs({ type: ['array', 'null'], items, maxItems: max, uniqueItems: true, ...more }),
    v.transform((given) => given ?? []),
    v.maxLength(max, rule('maxItems', { max })),
    v.array(entry),
    v.check((list) => new Set(list).size === list.length, 'distinct'),
  );
}

/** Ids of records that the worker looks for, each once; null is none. */
export function referencesInput(max: number) {
  return distinctInput(max, referenceInput(), ID_RANGE);
}

/** Keys of records, each once, instead of their ids. */
export function referenceKeys() {
  return v.pipe(
    v.nullable(v.array(v.unknown(), 'array')),
    describedAs({ type: ['array', 'null'], items: { type: 'string' }, maxItems: 100 }),
    v.transform((given) => given ?? []),
    v.maxLength(100, rule('maxItems', { max: 100 })),
    v.array(v.pipe(nullableKey(), v.string('required'))),
  );
}

/**
 * A list without repetitions of some of `values`; null is the empty list.
 *
 * @param shown the words for its type
 */
export function listInput<const T extends readonly string[]>(
  values: T,
  shown: JsonSchema,
  broken = oneOfRule(values),
) {
  return v.pipe(
    v.nullable(v.array(v.unknown(), 'array')),
    describedAs({
      items: { type: 'string', enum: values },
      maxItems: values.length,
      uniqueItems: true,
      ...shown,
    }),
    v.transform((given) => given ?? []),
    // Checked before the entries are: half a million errors would help no client.
    v.maxLength(values.length, rule('maxItems', { max: values.length })),
    v.transform((given) => given.map(blankToNull)),
    v.array(oneOfInput(values, broken)),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const list = dataset.value;
      list.forEach((entry, index) => {
        if (list.indexOf(entry) === index) return;
        const at = { input: list, key: index, value: entry };
        const path: v.ArrayPathItem = { type: 'array', origin: 'value', ...at };
        addIssue({ message: 'distinct', input: entry, path: [path] });
      });
    }),
  );
}

/** How long texts may be that must be there in the restaurant's fallback; undefined for others. */
export function requiredLength(schema: v.GenericSchema): number | undefined {
  return (v.getMetadata(schema) as { translated?: number }).translated;
}

/** Texts by language, in the language `needed` at least. */
function translationsOf(max: number, needed?: Locale) {
  const other = v.optional(textInput(max));
  const entries = ALL_LOCALES.map((locale) => [
    locale,
    locale === needed ? requiredTextInput(max) : other,
  ]);
  return v.pipe(
    v.strictObject(Object.fromEntries(entries) as Record<Locale, typeof other>, (issue) =>
      issue.expected === 'never' ? languageRule : 'object',
    ),
    v.transform((given) => inOrder(given as Translations)),
  );
}

/** A text in the languages of menus, in the restaurant's fallback at least. */
export function requiredTranslationsInput(max: number, fallback: Locale = FALLBACK_LOCALE) {
  return v.pipe(translationsOf(max, fallback), v.metadata({ translated: max }));
}

/**
 * A text in some of the languages of menus, or a plain text, which is one in the restaurant's default
 * language; null is no text.
 *
 * @param expected what a value of another kind should have been
 */
export function localizedTextInput(max: number, expected: 'string' | 'object' = 'string') {
  return v.pipe(
    v.nullable(v.union([textInput(max), translationsOf(max)], expected)),
    describedAs({
      description: 'A plain text is one in the restaurant’s `default_locale`.',
    }),
    v.transform((given) => given ?? {}),
  );
}

/** Longest key that an integrator gives a record, in characters. */
export const MAX_KEY_LENGTH = 128;

/** A key of an integrator's own, or null: a text of one line in any script, which may hold spaces. */
export function nullableKey() {
  return v.nullable(
    v.pipe(
      v.string('string'),
      v.trim(),
      oneForm,
      describedAs({
        minLength: 1,
        description: 'Letters of any script, digits and signs, with spaces between them; one line.',
      }),
      v.check(hasVisibleText, 'format'),
      safeLine,
      longest(MAX_KEY_LENGTH),
    ),
  );
}

/** A text that must be there: by language, or a plain one in the restaurant's default language. */
export function requiredLocalizedTextInput(max: number) {
  return v.pipe(
    v.union([requiredTextInput(max), someTranslations(max)], 'string'),
    describedAs({
      type: ['string', 'object'],
      additionalProperties: { type: ['string', 'null'] },
      maxLength: max,
      description: 'A map of languages, or a text in the restaurant’s `default_locale`.',
    }),
  );
}

/** Absolute addresses of the web, each once and at most `max` of them; null is none. */
export function urlsInput(max: number) {
  const address = v.pipe(seenText, longest(MAX_URL), v.check(isWebAddress, 'format'));
  const items = { type: 'string', maxLength: MAX_URL };
  return distinctInput(max, address, items, { description: `${ABSOLUTE} each.` });
}

/** The fields that the objects of a list may have; undefined for what is no list of objects. */
export function listedFields(schema: v.GenericSchema): v.ObjectEntries | undefined {
  return (v.getMetadata(schema) as { listed?: v.ObjectEntries }).listed;
}

/** A text in at least one of the languages of menus. */
function someTranslations(max: number) {
  return v.pipe(
    translationsOf(max),
    v.check((texts) => Object.keys(texts).length > 0, 'required'),
  );
}
