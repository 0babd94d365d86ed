import * as v from 'valibot';
import {
  declaredOptions,
  type Embed,
  type Field,
  type FieldOptions,
  type Fields,
  type FieldWords,
  type Reader,
  type ShownPartsOf,
  type StoredPartsOf,
  withLabels,
} from './field.ts';
import { asWritten } from './validation/check-input.ts';
import { described, describedReference } from './validation/described-as.ts';
import { blankToNull, nullableKey } from './validation/input-fields.ts';
import { type Broken, rule } from './validation/rule.ts';
import { inOrder, type Locale, textsIn, translationsSchema } from './values/locale.ts';
import { externalName } from './values/record-id.ts';
import { isObject, type Row, rowsIn } from './values/row.ts';

// Fields that hold a list of objects, whose parts are fields themselves: sizes, hours, closures.

/** The list's form beside its parts. */
interface ListForm {
  /** The topic of the texts of its parts. */
  topic?: string;
  /** The fewest objects of a list, and the most. */
  min?: number;
  max: number;
  /** The rule that an object breaks as a whole, and the part to blame; `row` is as it is sent. */
  check?(row: Row): { part: string; broken: Broken } | null;
  /** Parts that follow from the others where they were left out. */
  complete?(row: Row): Row;
}

/** The facts about a list that the rules around it do not say; the API's document takes them. */
export interface ListMetadata {
  items: v.GenericSchema;
  minItems: number;
  maxItems: number;
  /** The meaning of each part. */
  descriptions: Readonly<Record<string, string>>;
}

const EXTERNAL = 'The `external_id` of that record, instead of its id.';

/** The value of a part that is left out. Whether an object is available stays as it is then. */
const usualOf = ({ isAvailability, default: usual }: FieldOptions) =>
  isAvailability ? undefined : usual;

function entriesOf(parts: Fields): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, { input, isRequired, options, target }]) => {
      if (input === null) throw new Error('a part of a list is written with it');
      return [
        [name, isRequired ? input : v.optional(input, usualOf(options) as never)],
        ...(target === undefined ? [] : [[externalName(name), v.optional(nullableKey())]]),
      ];
    }),
  );
}

/** Whether an object is stored without a part, because it says nothing. */
function isLeftOut(part: Field | undefined, value: unknown): boolean {
  if (part?.isSparse !== true || part.options.isAvailability) return false;
  return (value ?? null) === (part.options.default ?? null);
}

/** Texts count without the blanks around them, and a blank one is null. */
function withoutBlanks(given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, blankToNull(one)]));
}

/** At most `max` objects; null is none. Translated parts become `<name>_translations`. */
function listOfObjects(parts: Fields, { min = 0, max, check, complete }: ListForm) {
  const row = v.object(entriesOf(parts), ({ input }) =>
    input === undefined ? 'required' : 'object',
  );
  const checked = v.pipe(
    row,
    v.transform((sent): Row => ({ ...sent, ...complete?.(sent) })),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const wrong = check?.(dataset.value);
      if (!wrong) return;
      const { part, broken } = wrong;
      const input = dataset.value;
      const value = input[part];
      const path: v.ObjectPathItem = { type: 'object', origin: 'value', input, key: part, value };
      const message = JSON.stringify(broken);
      // A part that was left out is the client's omission, and this rule says what to make of it.
      addIssue({ message, input: value ?? '', path: [path] });
    }),
    v.transform((sent) =>
      Object.fromEntries(
        Object.entries(sent)
          .filter(([name, value]) => !isLeftOut(parts[name], value))
          .map(([name, value]) => [
            parts[name]?.isTranslated ? `${name}_translations` : name,
            value,
          ]),
      ),
    ),
  );
  const descriptions = Object.fromEntries(
    Object.entries(parts).flatMap(([name, { options, target }]) => [
      [name, options.description],
      ...(target === undefined ? [] : [[externalName(name), EXTERNAL]]),
    ]),
  );
  const metadata: ListMetadata = { items: row, minItems: min, maxItems: max, descriptions };
  return v.pipe(
    v.nullable(v.array(v.unknown(), 'array')),
    v.metadata({ listed: row.entries, list: metadata }),
    v.transform((given) => given ?? []),
    // Checked before the objects are: half a million errors would help no client.
    v.maxLength(max, rule('maxItems', { max })),
    v.minLength(min, 'required'),
    v.transform((given) => given.map((one) => withoutBlanks(asWritten(Object.keys(parts), one)))),
    v.array(checked),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || !('external_id' in parts)) return;
      const keys = new Set<unknown>();
      for (const [index, value] of dataset.value.entries()) {
        const { external_id: key } = value as Row;
        if (key !== undefined && keys.has(key)) {
          const at: v.ArrayPathItem = {
            ...{ type: 'array', origin: 'value', input: dataset.value, key: index, value },
          };
          addIssue({ message: 'distinct', input: key, path: [at] });
        }
        keys.add(key);
      }
    }),
  );
}

const TRANSLATED = 'The same in every language in which it is written, by language code.';

function storedEntries(parts: Fields): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(parts).map(([name, { isTranslated, isSparse, value }]) => [
      isTranslated ? `${name}_translations` : name,
      isSparse ? v.optional(value) : value,
    ]),
  );
}

function shownEntries(parts: Fields): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]): [string, v.GenericSchema][] => {
      const { description } = part.options;
      const own: v.GenericSchema = part.shown?.schema ?? part.value;
      if (!part.isTranslated) {
        const shown = described(own, description);
        return [[name, part.isSparse ? v.optional(shown) : shown]];
      }
      const texts = describedReference(translationsSchema, TRANSLATED);
      return [
        [name, described(v.string(), description)],
        [`${name}_translations`, texts],
      ];
    }),
  );
}

function viewRow(parts: Fields, row: Row, read: Reader, embed?: Embed): Row {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => {
      if (part.isSparse && row[name] === undefined) return [];
      if (!part.isTranslated) {
        return [[name, part.shown ? part.shown.view(row[name], read, embed) : row[name]]];
      }
      const texts = textsIn(row[`${name}_translations`]);
      return [
        [name, read(texts)],
        [`${name}_translations`, inOrder(texts)],
      ];
    }),
  );
}

/** A list of objects. A body sends each translated part under its own name. */
export function list<const P extends Fields>(declared: P, form: ListForm, words: FieldWords) {
  const parts = withLabels(form.topic ?? '', declared);
  type Stored = StoredPartsOf<P>[];
  const value = v.array(v.object(storedEntries(parts))) as unknown as v.GenericSchema<
    unknown,
    Stored
  >;
  const schema = v.array(v.object(shownEntries(parts))) as unknown as v.GenericSchema<
    unknown,
    ShownPartsOf<P>[]
  >;
  const shown = {
    schema,
    view: (stored: unknown, read: Reader, embed?: Embed) =>
      rowsIn(stored).map((row) => viewRow(parts, row, read, embed)),
  };
  const field: Field<Stored, false, true> & { shown: typeof shown; parts: P } = {
    kind: 'list',
    value,
    input: listOfObjects(parts, form),
    isRequired: false,
    isTranslated: false,
    isPublic: true,
    options: { default: [], ...declaredOptions(words) } as FieldOptions,
    shown,
    parts,
    max: form.max,
  };
  return field;
}

/** A list's objects with each translated part under the name under which it is sent. */
export function sentRows(parts: Fields, rows: unknown): Row[] {
  return rowsIn(rows).map((row) =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([name, { isTranslated, isSparse, parts: inner }]) => {
        const value = row[isTranslated ? `${name}_translations` : name];
        if (isSparse && value === undefined) return [];
        return [[name, inner ? sentRows(inner, value) : value]];
      }),
    ),
  );
}

/** The texts of one part of present rows by their text in a language; of several the first row's. */
function knownTexts(present: readonly Row[], own: string, locale: Locale): Map<unknown, unknown> {
  const texts = present.map((row) => textsIn(row[own]));
  return new Map(texts.toReversed().map((one) => [one[locale], one]));
}

/** Takes a list as it was sent, and the objects that stand in its place. */
type Localizer = (rows: readonly Row[], before: readonly Row[]) => Row[];

/** Reads lists with the texts of `present`, the objects of all lists of this kind. */
function localizerOf(parts: Fields, locale: Locale, present: readonly Row[]): Localizer {
  const known = new Map<string, Map<unknown, unknown>>();
  const inner: [name: string, localize: Localizer][] = [];
  for (const [name, { isTranslated, parts: own }] of Object.entries(parts)) {
    const texts = `${name}_translations`;
    if (isTranslated) known.set(texts, knownTexts(present, texts, locale));
    if (own)
      inner.push([
        name,
        localizerOf(
          own,
          locale,
          present.flatMap((row) => innerOf(row, name)),
        ),
      ]);
  }
  const translate = (own: string, text: string, before: Row | undefined) => {
    const texts = textsIn(before?.[own]);
    if (texts[locale] === text) return texts;
    return known.get(own)?.get(text) ?? inOrder({ [locale]: text });
  };
  return (rows, before) =>
    rows.map((row, at) => {
      const texts = Object.entries(row).flatMap(([own, text]) =>
        known.has(own) && typeof text === 'string' ? [[own, translate(own, text, before[at])]] : [],
      );
      const lists = inner.map(([name, localize]) => {
        return [name, localize(innerOf(row, name), innerOf(before[at], name))];
      });
      return { ...row, ...Object.fromEntries([...texts, ...lists]) };
    });
}

function innerOf(row: Row | undefined, name: string): readonly Row[] {
  return rowsIn(row?.[name]);
}

/**
 * A list's objects whose plain texts are texts by language. A text that one of the present objects has
 * keeps its translations: a client that writes back what it has read changes nothing.
 *
 * @param locale the language of plain texts
 * @param present the objects of the list as they are stored
 */
export function localizedRows(
  parts: Fields,
  rows: unknown,
  locale: Locale,
  present: readonly Row[],
): Row[] {
  return localizerOf(parts, locale, present)(rowsIn(rows), present);
}
