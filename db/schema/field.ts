import type * as v from 'valibot';
import { isTextKey, type TextKey } from '../texts/catalogues.ts';
import type { Translations } from './values/locale.ts';
import type { Collection } from './values/resource.ts';

/**
 * How a field behaves wherever records are stored, sent, shown or edited. `localized` is a translated
 * text that used to be one plain text: bodies may send either.
 */
export type FieldKind =
  | 'text'
  | 'localized'
  | 'url'
  | 'color'
  | 'flag'
  | 'integer'
  | 'decimal'
  | 'country'
  | 'price'
  | 'list'
  | 'urls'
  | 'time'
  | 'date'
  | 'weekdays'
  | 'moment'
  | 'instant'
  | 'choice'
  | 'choices'
  | 'reference'
  | 'references'
  | 'embedded'
  | 'sources'
  | 'slug';

/** Which of a text's translations is read; it is asked in the order in which they are shown. */
export type Reader = (texts: Translations) => string;

/** The row of another record that one shows within itself; null when readers do not see it. */
export type Embed = (resource: string, id: unknown) => Readonly<Record<string, unknown>> | null;

/** The options that every kind of field has. */
export interface FieldOptions {
  /** Names the text that owners read beside the field. */
  label: TextKey;
  /** The meaning, in English: the API's document shows it. */
  description: string;
  /** The value of a new record when the field is not sent. */
  default?: unknown;
  /** The embedded photo whose address is shown in place of this one, when there is one. */
  photo?: string;
  /** It says what guests can order at the moment: ways back to an older menu leave it as it is. */
  isAvailability?: true;
  /** The rule of a choice that other words break, in place of the list of its words. */
  broken?: string;
  /** Makes it a query parameter of `/items`; says in English which dishes the parameter selects. */
  filter?: string;
}

/** A field that names another record of the restaurant. */
export interface ReferenceOptions extends FieldOptions {
  /**
   * How the deletion of the named record changes this one: it is deleted, too, or it stays and shows
   * null until the named one is restored.
   */
  onDelete: 'cascade' | 'detach';
  /** A reference of both records that must be the same, such as the section of a dish and its type. */
  within?: string;
}

/** Options as a declaration has them: without a label the field has the text of its own name. */
type Declared<O extends FieldOptions> = Omit<O, 'label'> & Partial<Pick<O, 'label'>>;

/** The words of a field's declaration: its description, or all of its options. */
export type FieldWords = string | Declared<FieldOptions>;
export type ReferenceWords = Declared<ReferenceOptions>;

export const declaredOptions = (words: FieldWords) =>
  typeof words === 'string' ? { description: words } : words;

/**
 * Fields with their labels: without another one the text of the field's name in the topic, such as
 * `fields.dish.price`.
 *
 * @throws Error when there is no such text
 */
export function withLabels<const F extends Fields>(topic: string, fields: F): F {
  const entries = Object.entries(fields).map(([name, field]) => {
    const declared: Declared<FieldOptions> = field.options;
    const options = { label: `fields.${topic}.${name}`, ...declared };
    if (!isTextKey(options.label)) throw new Error(`there is no text ${options.label}`);
    return [name, { ...field, options }];
  });
  return Object.fromEntries(entries) as F;
}

export interface Field<
  TValue = unknown,
  TTranslated extends boolean = boolean,
  TPublic extends boolean = boolean,
> {
  kind: FieldKind;
  /** The form that is stored and shown; for a translated text the map of its languages. */
  value: v.GenericSchema<unknown, TValue>;
  /** The form that a body may send; null for a field that is only read. */
  input: v.GenericSchema | null;
  /** Whether a body that creates a record must have it. */
  isRequired: boolean;
  /** Stored and shown as `<name>_translations` too; `<name>` is the text in one language. */
  isTranslated: TTranslated;
  /** Whether guests may see it; admins see every field. */
  isPublic: TPublic;
  options: FieldOptions;
  /** The form that readers see where it differs from the stored one, and how it is made. */
  shown?: { schema: v.GenericSchema; view(stored: unknown, read: Reader, embed?: Embed): unknown };
  /** Guests’ JSON, and an object of a list, have it only where it differs from its default. */
  isSparse?: true;
  /** The database computes it; it is never written. */
  isGenerated?: true;
  /** The words of a choice. */
  values?: readonly string[];
  /** The resource that a reference names. */
  target?: Collection;
  /** An embedded record is the one that this reference of the same record names. */
  via?: string;
  /** The parts of the objects of a list, and the most objects that it may have. */
  parts?: Readonly<Record<string, Field>>;
  max?: number;
}

export type Fields = Readonly<Record<string, Field>>;

type Name<K> = K & string;

/** Fields as they are stored: texts in all languages, nothing embedded. */
export type StoredPartsOf<F extends Fields> = {
  [K in keyof F as F[K]['isTranslated'] extends true
    ? `${Name<K>}_translations`
    : F[K] extends { via: string }
      ? never
      : K]: F[K] extends Field<infer T> ? T : never;
};

export type StoredOf<F extends Fields> = { id: number } & StoredPartsOf<F>;

type ShownValue<F> = F extends { isTranslated: true }
  ? string
  : F extends { shown: { schema: v.GenericSchema<unknown, infer T> } }
    ? T
    : F extends Field<infer T>
      ? T
      : never;

/** The names of the fields with some options. */
type Having<F extends Fields, Options> = {
  [K in keyof F]: F[K] extends Options ? Name<K> : never;
}[keyof F];
type Public<F extends Fields> = Having<F, { isPublic: true }>;
type Text<F extends Fields> = Having<F, { isTranslated: true }>;
type Rare<F extends Fields> = Having<F, { isSparse: true }>;

/** Fields as guests see them in one language; a sparse one may be missing. */
export type ShownPartsOf<F extends Fields> = {
  [K in Exclude<Public<F>, Rare<F>>]: ShownValue<F[K]>;
} & {
  [K in Public<F> & Rare<F>]?: ShownValue<F[K]>;
} & {
  [K in Exclude<Text<F>, Rare<F>> as `${K}_translations`]: Translations;
} & {
  [K in Text<F> & Rare<F> as `${K}_translations`]?: Translations;
};

/** A record as guests see it in one language. */
export type ShownOf<F extends Fields> = { id: number } & ShownPartsOf<F>;
