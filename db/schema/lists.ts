import * as v from 'valibot';
import type {
  Embed,
  Field,
  FieldOptions,
  Fields,
  Reader,
  ShownPartsOf,
  StoredPartsOf,
} from './field.ts';
import { inOrder, type Translations, translationsSchema } from './locale.ts';
import { describedReference } from './validation/described-as.ts';
import { type ListForm, listOfObjects } from './validation/list-fields.ts';

// Fields that hold a list of objects, whose parts are fields themselves: sizes, hours, closures.

type Row = Record<string, unknown>;

const TRANSLATED = 'The same in every language in which it is written, by language code.';

function storedEntries(parts: Fields): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(parts).map(([name, { isTranslated, value }]) => [
      isTranslated ? `${name}_translations` : name,
      value,
    ]),
  );
}

function shownEntries(parts: Fields): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]): [string, v.GenericSchema][] => {
      const { description } = part.options;
      const own: v.GenericSchema = part.shown?.schema ?? part.value;
      if (!part.isTranslated) return [[name, v.pipe(own, v.description(description))]];
      const texts = describedReference(translationsSchema, TRANSLATED);
      return [
        [name, v.pipe(v.string(), v.description(description))],
        [`${name}_translations`, texts],
      ];
    }),
  );
}

function viewRow(parts: Fields, row: Row, read: Reader, embed?: Embed): Row {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => {
      if (!part.isTranslated) {
        return [[name, part.shown ? part.shown.view(row[name], read, embed) : row[name]]];
      }
      const texts = (row[`${name}_translations`] ?? {}) as Translations;
      return [
        [name, read(texts)],
        [`${name}_translations`, inOrder(texts)],
      ];
    }),
  );
}

/** A list of objects. A body sends each translated part under its own name. */
export function list<const P extends Fields>(parts: P, form: ListForm, options: FieldOptions) {
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
      ((stored ?? []) as Row[]).map((row) => viewRow(parts, row, read, embed)),
  };
  const field: Field<Stored, false, true> & { shown: typeof shown; parts: P } = {
    kind: 'list',
    value,
    input: listOfObjects(parts, form),
    isRequired: false,
    isTranslated: false,
    isPublic: true,
    options: { default: [], ...options },
    shown,
    parts,
    max: form.max,
  };
  return field;
}

/** A list's objects with each translated part under the name under which it is sent. */
export function sentRows(parts: Fields, rows: unknown): Row[] {
  return ((rows ?? []) as Row[]).map((row) =>
    Object.fromEntries(
      Object.entries(parts).map(([name, { isTranslated, parts: inner }]) => {
        const value = row[isTranslated ? `${name}_translations` : name];
        return [name, inner ? sentRows(inner, value) : value];
      }),
    ),
  );
}

/** A list's objects whose plain texts are texts by language. */
export function localizedRows(
  parts: Fields,
  rows: unknown,
  translate: (text: unknown) => unknown,
): Row[] {
  const inOne = (row: Row) =>
    Object.entries(parts).flatMap(([name, { isTranslated, parts: inner }]) => {
      const own = `${name}_translations`;
      if (inner) return [[name, localizedRows(inner, row[name], translate)]];
      return isTranslated ? [[own, translate(row[own])]] : [];
    });
  return (rows as Row[]).map((row) => ({ ...row, ...Object.fromEntries(inOne(row)) }));
}
