import * as v from 'valibot';
import { memoize } from '../runtime/memoize.ts';
import type { TextKey } from '../texts/catalogues.ts';
import { chainLinkSchema } from './chain-link.ts';
import {
  type Embed,
  type Field,
  type FieldKind,
  type Fields,
  type Reader,
  type ShownOf,
  type StoredOf,
  withLabels,
} from './field.ts';
import { localizedRows, sentRows } from './lists.ts';
import { withoutOrigin } from './media-origin.ts';
import type { InputSchema } from './validation/check-input.ts';
import { NEVER } from './validation/date-fields.ts';
import { described } from './validation/described-as.ts';
import { nullableKey, referenceKeys } from './validation/input-fields.ts';
import type { FieldErrors } from './validation/rule.ts';
import { inOrder, type Locale, textsIn, translationsSchema } from './values/locale.ts';
import { externalName, integerSchema } from './values/record-id.ts';
import type { Resource } from './values/resource.ts';
import { isObject, type Row, rowsIn } from './values/row.ts';

/** A schema of an object whose fields can be taken one by one. */
type EntriesSchema<T> = v.GenericSchema<unknown, T> & { entries: v.ObjectEntries };

/** The declaration of one kind of record. */
interface Declaration<F extends Fields> {
  /** Its name in the admin API's paths. */
  resource: Resource;
  /** Its table, and its list in a menu. */
  table: string;
  /** Its name in the API's document. */
  schema: string;
  /** One of them in English, with its article. */
  one: string;
  /** The word for one of them in forms and messages; its fields have the texts of the same topic. */
  label: TextKey;
  /** A restaurant has exactly one; it is there from the beginning and cannot be deleted. */
  isSingleton?: true;
  /** Part of the menu that guests read, and of its version. */
  isOnMenu: boolean;
  /** A new one is an upload and no body; guests see it within other records, without its id. */
  isUploaded?: true;
  /** The reference that says where a record stands; `display_order` counts within it. */
  parent?: string;
  fields: F;
  /**
   * Values that a write stores beside or instead of those that were sent.
   *
   * @param input the checked body
   * @param after the record as it would be with it
   * @param current the stored record that it changes; undefined for a new one
   */
  derive?(input: Row, after: Row, current?: Row): Row;
  /** The errors of a body whose fields contradict each other. */
  conflicts?(input: Row, current?: Row): FieldErrors;
  /** Fields that a body says in another form than the row has: their values in it. */
  asSent?: Readonly<Record<string, (row: Row) => unknown>>;
  /** Fields that readers see in another form than the row has. */
  asShown?(row: Row): Row;
  /** One of them, for the API's document: its id and what a body may say of it. */
  example: Record<string, unknown>;
}

/** A declaration and what follows from it. */
export interface RecordType<F extends Fields = Fields> extends Declaration<F> {
  /** A row of the database, without its times. */
  stored: EntriesSchema<StoredOf<F>>;
  /** The form that guests see. */
  shown: EntriesSchema<ShownOf<F>>;
  /** The form that admins see: also the fields that are not public, and times in ISO 8601. */
  admin: EntriesSchema<Record<string, unknown>>;
  /** A body that creates a record. */
  input: InputSchema;
  /** A body that changes one: every field is optional, and what is sent must be right. */
  change: InputSchema;
}

/** The name under which a field is stored in a row. */
export function storedName(name: string, field: Field): string {
  return field.isTranslated ? `${name}_translations` : name;
}

function storedEntries(fields: Fields): v.ObjectEntries {
  const stored = Object.entries(fields).filter(([, field]) => field.kind !== 'embedded');
  return Object.fromEntries(stored.map(([name, field]) => [storedName(name, field), field.value]));
}

function shownEntries(fields: Fields, isAdmin: boolean): v.ObjectEntries {
  const shown = Object.entries(fields).filter(([, field]) => isAdmin || field.isPublic);
  return Object.fromEntries(
    shown.flatMap(([name, field]): [string, v.GenericSchema][] => {
      const entry = (of: v.GenericSchema) => (field.isSparse && !isAdmin ? v.optional(of) : of);
      return field.isTranslated
        ? [
            [name, entry(v.string())],
            [`${name}_translations`, entry(translationsSchema)],
          ]
        : [[name, entry(field.shown?.schema ?? field.value)]];
    }),
  );
}

/** The key or keys that a body may give instead of the ids of other records. */
function externalEntry(name: string, target: string | undefined, kind: FieldKind) {
  if (target === undefined || kind === 'list') return [];
  const keys = kind === 'references' ? referenceKeys() : nullableKey();
  return [[externalName(name), v.optional(keys)]];
}

function inputEntries(fields: Fields, isChange: boolean): InputSchema['entries'] {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { input, isRequired, target, kind }]) => {
      if (input === null) return [];
      return [
        [name, isRequired && !isChange ? input : v.optional(input)],
        ...externalEntry(name, target, kind),
      ];
    }),
  );
}

const id = { id: described(integerSchema, 'Its id; it never changes.') };
const updated = { updated_at: described(v.date(), 'When it was last changed.') };
const times = {
  created_at: described(v.date(), 'When it was created.'),
  ...updated,
  deleted_at: described(v.nullable(v.date()), 'When it was deleted; null while it is there.'),
};

export function defineRecord<const F extends Fields>(declared: Declaration<F>): RecordType<F> {
  const { label, isSingleton, isUploaded } = declared;
  const fields = withLabels(label.replace('records.', ''), declared.fields);
  const shownId = isUploaded ? {} : id;
  return {
    ...declared,
    fields,
    stored: v.object({ ...id, ...storedEntries(fields) }) as unknown as EntriesSchema<StoredOf<F>>,
    shown: v.object({ ...shownId, ...shownEntries(fields, false) }) as unknown as EntriesSchema<
      ShownOf<F>
    >,
    admin: v.object({
      ...{ ...id, ...shownEntries(fields, true), ...(isSingleton ? updated : times) },
      chain: chainLinkSchema,
    }),
    input: v.object(inputEntries(fields, false)),
    change: v.object(inputEntries(fields, true)),
  };
}

/** How a row is shown. */
export interface View {
  read: Reader;
  /** Finds the rows of embedded records. */
  embed?: Embed;
  /** Whether fields that are not public are shown too. */
  isAdmin?: boolean;
}

function viewEmbedded(field: Field, stored: Row, { embed, read }: View): unknown {
  const record = embeddedRecord(field);
  const named = stored[field.via ?? ''] ?? null;
  const show = (id: unknown) => {
    const row = id === null ? null : (embed?.(record.resource, id) ?? null);
    return row && viewRecord(record, row, { read });
  };
  return Array.isArray(named) ? named.map(show).filter((one) => one !== null) : show(named);
}

/** The address of an embedded photo; undefined when there is none. */
function photoAddress(field: Field, stored: Row, { embed }: View): string | undefined {
  const id = stored[field.via ?? ''] ?? null;
  const row = id === null ? null : embed?.(embeddedRecord(field).resource, id);
  return row ? withoutOrigin(String(row.url)) : undefined;
}

/** Whether a sparse field says nothing: it has its default, which may be an empty list or map. */
function isUnset({ options }: Field, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === options.default;
  return Object.keys(value).length === 0;
}

/** The fields of a record with their names in rows. */
const namedFields = memoize(({ fields }: RecordType) =>
  Object.entries<Field>(fields).map(
    ([name, field]) => [name, field, storedName(name, field)] as const,
  ),
);

/** A row with the fields that readers see in another form than it is stored. */
export function shownRow({ asShown }: Pick<RecordType, 'asShown'>, row: Row): Row {
  return asShown ? { ...row, ...asShown(row) } : row;
}

/** A row as readers see it in one language: its fields in the order of their declaration. */
export function viewRecord<F extends Fields>(
  record: RecordType<F>,
  row: { id: number } | Row,
  view: View,
): ShownOf<F> {
  const { fields, isUploaded } = record;
  const stored = shownRow(record, row);
  const shown: Row = isUploaded && !view.isAdmin ? {} : { id: stored.id };
  for (const [name, field, own] of namedFields(record as unknown as RecordType)) {
    if (!field.isPublic && !view.isAdmin) continue;
    if (field.isSparse && !view.isAdmin && isUnset(field, stored[own])) continue;
    if (field.isTranslated) {
      const texts = textsIn(stored[own]);
      shown[name] = view.read(texts);
      shown[`${name}_translations`] = inOrder(texts);
    } else if (field.kind === 'embedded') {
      shown[name] = viewEmbedded(field, stored, view);
    } else if (field.shown) {
      shown[name] = field.shown.view(stored[name], view.read, view.embed);
    } else if (field.options.photo) {
      shown[name] =
        photoAddress(fields[field.options.photo] as Field, stored, view) ?? stored[name];
    } else {
      shown[name] = stored[name];
    }
  }
  return shown as ShownOf<F>;
}

/** The declared defaults of a record's fields, by name. */
export const defaultsOf = memoize(({ fields }: RecordType): Row => {
  const given = Object.entries<Field>(fields).filter(([, { options }]) => 'default' in options);
  return Object.freeze(
    Object.fromEntries(given.map(([name, { options }]) => [name, options.default])),
  );
});

/** Those of them that a body may have. */
export const sentDefaults = memoize((record: RecordType): Row => {
  const defaults = Object.entries(defaultsOf(record));
  return Object.fromEntries(defaults.filter(([name]) => !record.fields[name]?.isGenerated));
});

/** A body in which plain texts of translated fields are texts in the default language. */
export function localizeInput(
  { fields }: RecordType,
  input: Row,
  defaultLocale: Locale,
  current: Row = {},
): Row {
  const translate = (text: unknown, present?: unknown) => {
    if (typeof text !== 'string') return text;
    const texts = textsIn(present);
    // A client that writes back what it has read changes nothing, the translations neither.
    return texts[defaultLocale] === text ? texts : inOrder({ [defaultLocale]: text });
  };
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const { isTranslated, parts } = fields[name] ?? {};
      if (isTranslated) return [name, translate(value, current[`${name}_translations`])];
      const present = rowsIn(current[name]);
      return [name, parts ? localizedRows(parts, value, defaultLocale, present) : value];
    }),
  );
}

/** The name under which each field is stored: to put one together takes longer than to find it. */
const storedNames = memoize(
  (record: RecordType): ReadonlyMap<string, string> =>
    new Map(namedFields(record).map(([name, , own]) => [name, own])),
);

/** The value of a field of a stored row in the checked body that would write it. */
export function sentValue(record: RecordType, row: Row, name: string): unknown {
  const own = record.asSent?.[name];
  return own ? own(row) : row[storedNames(record).get(name) as string];
}

/** The names of the fields that a body may have. */
const sentNames = memoize(({ fields }: RecordType) =>
  Object.keys(fields).filter((name) => fields[name]?.input !== null),
);

/** The fields that a body may have, with a value for each. */
function eachSent(record: RecordType, row: Row, read: typeof sentValue): Row {
  const sent: Row = {};
  for (const name of sentNames(record)) sent[name] = read(record, row, name);
  return sent;
}

/** A stored row as the checked body that would write it. */
export function toSent(record: RecordType, row: Row): Row {
  return eachSent(record, row, sentValue);
}

/** A row with fields under the names under which they are sent, as it is stored. */
export function toStored(record: RecordType, sent: Row): Row {
  const names = storedNames(record);
  const row: Row = {};
  for (const [name, value] of Object.entries(sent)) row[names.get(name) ?? name] = value;
  return row;
}

/** An embedded field: the record that a reference of the same record names, as guests see it. */
export interface Embedded<T> extends Field<T, false, true> {
  via: string;
  record: RecordType;
}

/** @throws Error for a field of another kind */
export function embeddedRecord(field: Field): RecordType {
  if (!('record' in field)) throw new Error('the field embeds no record');
  return (field as Embedded<unknown>).record;
}

/** A value of a checked body in the form in which documents and answers have it. */
export function documentValue({ parts }: Field, value: unknown): unknown {
  if (value === NEVER) return 'indefinitely';
  return parts ? sentRows(parts, value) : value;
}

/** The value of a field of a stored row in its document. */
export function documentedValue(record: RecordType, row: Row, name: string): unknown {
  const field = record.fields[name] as Field;
  const value = sentValue(record, row, name);
  const shown = value === null ? null : documentValue(field, value);
  return field.isTranslated ? inOrder(textsIn(shown)) : shown;
}

/** A stored row as documents have it: a body that would write it. */
export function toDocument(record: RecordType, row: Row): Row {
  return eachSent(record, row, documentedValue);
}

/** Jsonb and bodies have the languages of a text in different orders. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, canonical(one)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Whether two values of a field are the same, whatever the order of their languages. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (left === null || right === null) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false;
    if (left.length === 0) return true;
  }
  if (JSON.stringify(left) === JSON.stringify(right)) return true;
  return JSON.stringify(canonical(left)) === JSON.stringify(canonical(right));
}

/** Whether two values of a field say the same: a set of words, such as allergens, has no order. */
export function saysSame({ kind }: Field, left: unknown, right: unknown): boolean {
  const isSet = kind === 'choices' && Array.isArray(left) && Array.isArray(right);
  return isSet ? isSame([...left].sort(), [...right].sort()) : isSame(left, right);
}

/**
 * The columns that a body sets, as they would be stored: what the database computes is computed here.
 *
 * @param sent the checked body
 * @param input the same with what follows from it
 */
export function writtenRow(record: RecordType, sent: Row, input: Row): Row {
  const row = toStored(record, input);
  if (record.resource !== 'items') return row;
  return {
    ...row,
    ...('allergens' in sent && {
      allergens: sent.allergens ?? [],
      allergens_declared: sent.allergens !== null,
    }),
    ...('sold_out_until' in sent && {
      is_sold_out: sent.sold_out_until !== null,
      sold_out_until: sent.sold_out_until === NEVER ? null : sent.sold_out_until,
    }),
  };
}

/** With all columns: to add one to a copy of many takes V8 thirty times as long as to set it. */
const emptyRow = memoize((record: RecordType): Row => {
  const columns = namedFields(record).filter(([, { kind }]) => kind !== 'embedded');
  return {
    ...Object.fromEntries(columns.map(([, , own]) => [own, undefined])),
    // A dish that declares nothing.
    ...(record.resource === 'items' && { allergens: [] }),
    ...toStored(record, defaultsOf(record)),
  };
});

/** The row of a new record, as its table would have it; the parameters are those of `writtenRow`. */
export function newRow(record: RecordType, sent: Row, input: Row): Row {
  return { ...emptyRow(record), ...writtenRow(record, sent, input) };
}
