import type { AllergenKey, AllergenKind } from '../schema/dictionary.ts';
import type { ExchangeReport } from '../schema/exchange-report.ts';
import type { Locale, Translations } from '../schema/values/locale.ts';
import { isObject, listIn, type Row, rowsIn } from '../schema/values/row.ts';
import type { Losses, Reported } from './report.ts';

// The parts of a menu as imports read them from the documents of services.

/** A record as a document names it. */
export type RecordName =
  | { id: number }
  | { external_id: string }
  | { id: number; external_id: string };

export type Kind = 'categories' | 'modifier_groups' | 'items';

/** The facts about the restaurant that an import needs. */
export interface InOptions {
  at: Date;
  slug: string;
  currency: string;
  /** The language of texts that name none. */
  locale: Locale;
  /** The language that names must have. */
  fallback: Locale;
  /** The record of a key or an id, as a document has it. */
  find(kind: Kind, name: { id?: number; external_id?: string }): Row | undefined;
  /** The records of a name; of dishes, those of a section. */
  named(kind: Kind, name: string, section?: number): readonly Row[];
}

export interface ExchangeImport {
  document: Row;
  report: ExchangeReport;
}

/** A text in one language that is not named, or in some. */
export type Text = string | Translations;

export interface InOption {
  /** The key of the service, if it has one. */
  key?: string | undefined;
  name: Text;
  /** Null: it is not known. */
  price: number | null;
  /** Undefined where the service says nothing. */
  allergens?: AllergenKey[] | undefined;
  isSoldOut?: boolean | undefined;
  /** The dish that it is, by the key of the service. */
  dish?: string | undefined;
  abv_percent?: number | null | undefined;
}

export interface InGroup {
  key: string;
  name: Text;
  min: number;
  max: number | null;
  options: InOption[];
}

export interface InSection {
  key: string;
  name: Text;
  parent?: string | undefined;
  notes?: Text | undefined;
  /** Undefined where the service says nothing. */
  hours?: Row[] | undefined;
}

export interface InSize {
  key?: string | undefined;
  name: Text;
  price: number | null;
  abv_percent?: number | null | undefined;
}

/** A dish; the service says nothing about a field that is missing. */
export interface InDish {
  key: string;
  section: string;
  name: Text;
  description?: Text | undefined;
  /** Null: it is not known. */
  price: number | null;
  isOnRequest?: boolean;
  sizes?: InSize[];
  offers?: Row[];
  /** Keys of groups; undefined where the service has none. */
  groups?: string[] | undefined;
  courses?: InGroup[];
  allergens?: AllergenKey[] | undefined;
  /** The allergens that the service takes away by not naming them; all without it. */
  knownAllergens?: ReadonlySet<string>;
  kinds?: AllergenKind[] | undefined;
  labels?: { given: string[]; known: ReadonlySet<string> };
  photo?: string | null | undefined;
  /** Null: it is available; undefined: the service says nothing. */
  soldOut?: string | null | undefined;
  isHidden?: boolean;
  /** Fields that are taken as they are. */
  fields?: Row;
}

/** All that one import has gathered. */
export interface State {
  options: InOptions;
  losses: Losses;
  /** Matches keys that an export has made of ids. */
  own: RegExp;
  /** Records of here by `<kind>/<key of the service>`. */
  names: Map<string, RecordName>;
  /** Records of here that were found by their names. */
  claimed: Set<string>;
  rows: Record<Kind, Row[]>;
  groups: Map<string, InGroup>;
  /** Ids of groups in the document by their keys; null for one that is left out. */
  made: Map<string, number | null>;
  /** How many dishes each section has that is new here. */
  places: Map<string, number>;
  /** Dishes by their keys, those that are left out too. */
  read: Map<string, Reported>;
  /** How many options courses have so far. */
  courseOptions: number;
  /** Courses that are written when all dishes are known. */
  later: (() => void)[];
  /** Whether prices are in another currency than here. */
  isForeign: boolean;
  /** How many dishes are carried. */
  sent: number;
}

/** The text of a field of a service; empty for what is none. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** The number of a field of a service; null for what is none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const text = textOf(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

/** The object of a field of a service; an empty one for what is none. */
export const fieldsOf = (value: unknown): Row => (isObject(value) ? value : {});

export const textsInList = (value: unknown): string[] => listIn(value).map(textOf);

/** The moment until which a service has nothing of a dish; indefinitely without one. */
export function untilOf(value: unknown): string {
  const until = Date.parse(textOf(value));
  return Number.isNaN(until) ? 'indefinitely' : new Date(until).toISOString();
}

/** The values of a list or of a map by ids. */
export const valuesOf = (value: unknown): readonly Row[] =>
  isObject(value) ? Object.values(value).filter(isObject) : rowsIn(value);

export const isEmptyText = (text: Text) =>
  typeof text === 'string' ? text.trim() === '' : Object.values(text).every((one) => !one?.trim());

export const plainOf = (text: Text) =>
  typeof text === 'string' ? text : (Object.values(text)[0] ?? '');
