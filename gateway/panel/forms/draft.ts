import { toLocal } from '../../../db/runtime/zone-clock.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import type { Field } from '../../../db/schema/field.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import type { InputSettings } from '../../../db/schema/validation/check-input.ts';
import { countryName } from '../../../db/schema/values/country.ts';
import { currencyDecimals } from '../../../db/schema/values/currency.ts';
import { ALL_LOCALES, type Locale, textsIn } from '../../../db/schema/values/locale.ts';
import { listIn, type Row, rowsIn } from '../../../db/schema/values/row.ts';
import type { PanelLanguage } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import type { Desk } from '../desk.ts';
import { momentIn } from '../pages/moment.ts';
import type { Option } from './inputs.ts';

/** The values of a form by the names of its inputs. */
export type FormDraft = ReadonlyMap<string, readonly string[]>;

/** The facts about the restaurant that forms need. */
export interface FormPlace extends InputSettings {
  /** Of the page: prices are written in its way. */
  language: PanelLanguage;
  timezone: string;
}

/** The data from which a form is drawn. */
export interface FormView {
  say: Say;
  place: FormPlace;
  draft: FormDraft;
  /** By the names of inputs. */
  errors: Readonly<Record<string, string>>;
  /** Remarks that stand below fields, by their names. */
  remarks: Readonly<Record<string, string>>;
  /** Fields that the chain decides: they are shown, and not changed here. */
  locked?: ReadonlySet<string>;
  /** The languages in which texts are asked for. */
  locales: readonly Locale[];
  /** Whether texts stand in the first of many languages alone; `otherTexts` has the others. */
  isBrief?: boolean;
  /** The field that has the focus when the page is opened. */
  focused: string | null;
  /** A dish of a section of wines. */
  isWine: boolean;
  /** The records that references may name, by field. */
  options: Readonly<Record<string, readonly Option[]>>;
  /** Other records of the place of a new one. */
  neighbours?: readonly FormDraft[];
}

export function one(draft: FormDraft, name: string): string {
  return draft.get(name)?.[0] ?? '';
}

/** Whether a value is null, or an empty text, list or object. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** How prices are written on a page. */
export type Pricing = Pick<FormPlace, 'language' | 'currency'>;

export function pricingOf({ language, context }: Desk['request']): Pricing {
  return { language, currency: context.restaurant.tenant.currency };
}

/** A number as people write it. */
export function writeDecimal(value: unknown, { language }: Pick<Pricing, 'language'>): string {
  return language === 'en' ? String(value) : String(value).replace('.', ',');
}

/** A price as people write it. */
export function writePrice(price: unknown, { language, currency }: Pricing): string {
  const text = Number(price).toFixed(currencyDecimals(currency));
  return language === 'en' ? text : text.replace('.', ',');
}

/** The name of a weekday; 1 is Monday. */
export function writeWeekday(
  day: number,
  { language }: Pick<Pricing, 'language'>,
  style: 'weekday' | 'shortWeekday' = 'weekday',
): string {
  // 1 January 2024 was a Monday.
  return momentIn({ language, timezone: 'UTC' }, `2024-01-0${day}`, style);
}

/** The days of a week, by their short names. */
export function weekdayOptions(place: Pick<Pricing, 'language'>): Option[] {
  const days = [1, 2, 3, 4, 5, 6, 7];
  return days.map((day) => ({ value: `${day}`, label: writeWeekday(day, place, 'shortWeekday') }));
}

/** Places in an order are changed in lists; an inactive restaurant's menu is served all the same. */
const NOT_IN_FORMS: Record<string, readonly string[]> = {
  items: ['display_order'],
  // The first window of `hours`.
  categories: ['display_order', 'weekdays', 'time_start', 'time_end'],
  types: ['display_order'],
  settings: ['is_active'],
};

/** Fields that people edit in forms. */
export function editableFields({ fields, resource }: RecordType): [string, Field][] {
  const left = NOT_IN_FORMS[resource] ?? [];
  return Object.entries<Field>(fields).filter(
    ([name, { input }]) => input !== null && !left.includes(name),
  );
}

type Entry = [name: string, values: string[]];

function momentEntries(name: string, value: unknown, data: Row, place: FormPlace): Entry[] {
  if (typeof value === 'string') {
    return [
      [name, ['until']],
      [`${name}.at`, [toLocal(value, place.timezone)]],
    ];
  }
  return [[name, [data.is_sold_out === true ? 'indefinitely' : 'no']]];
}

/** Of a dish that declares nothing, the form answers only for the traces that a program has noted. */
function allergenEntries(data: Row): Entry[] {
  const entry = (key: string, presence: string): Entry => [`allergen.${key}`, [presence]];
  const isDeclared = data.allergens_declared === true;
  return [
    ['allergens.declared', [isDeclared ? '1' : '0']],
    ...(isDeclared ? allergens.keys.map((key) => entry(key, 'no')) : []),
    ...listIn(data.allergens).map((key) => entry(String(key), 'contains')),
    ...listIn(data.traces).map((key) => entry(String(key), 'may')),
  ];
}

/** Of a dish whose price guests ask for, 0 stands for none, and of an option that is included. */
function isNoPrice(path: string, data: Row, price: unknown): boolean {
  if (path !== 'price' && Number(price) === 0) return true;
  return price === null || (data.price_on_request === true && Number(price) === 0);
}

/** The box that says that a dish has no price. */
export const NO_PRICE = 'price.none';

/** The inputs of each object of a list: those of its parts behind its number. */
function rowEntries(
  path: string,
  parts: Readonly<Record<string, Field>>,
  rows: readonly Row[],
  place: FormPlace,
): Entry[] {
  return rows.flatMap((row, index) =>
    Object.entries(parts).flatMap(([name, part]) =>
      entriesOf(`${path}.${index}.${name}`, name, part, row, place),
    ),
  );
}

/**
 * The inputs of a field.
 *
 * @param path their name
 * @param name of the field in `data`
 */
function entriesOf(path: string, name: string, field: Field, data: Row, place: FormPlace): Entry[] {
  const value = data[name] ?? null;
  const declared: Entry = [`${path}.declared`, ['1']];
  if (field.isTranslated) {
    const texts = textsIn(data[`${name}_translations`]);
    return ALL_LOCALES.map((locale) => [`${path}.${locale}`, [texts[locale] ?? '']]);
  }
  if (path === 'allergens') return allergenEntries(data);
  if (path === 'traces') return [];
  if (field.parts) return rowEntries(path, field.parts, rowsIn(value), place);
  switch (field.kind) {
    case 'flag':
      return value === true ? [[path, ['1']]] : [];
    case 'decimal':
      return [[path, [value === null ? '' : writeDecimal(value, place)]]];
    case 'country':
      return [[path, [value === null ? '' : countryName(String(value), place.language)]]];
    case 'price':
      return priceEntries(path, data, value, place);
    case 'references':
      return listIn(value).map((id, index) => [`${path}.${index}`, [String(id)]]);
    case 'choices':
      return [
        [path, listIn(value).map(String)],
        ...(field.options.default === null && value !== null ? [declared] : []),
      ];
    case 'weekdays':
      return [[path, listIn(value).map(String)]];
    case 'urls':
      return [[path, [listIn(value).join('\n')]]];
    case 'instant':
      return [[path, [typeof value === 'string' ? toLocal(value, place.timezone) : '']]];
    case 'moment':
      return momentEntries(path, value, data, place);
    default:
      return [[path, [value === null ? '' : String(value)]]];
  }
}

/** A stored 0 is no price of a dish: its form says so by a box. */
function priceEntries(path: string, data: Row, value: unknown, place: FormPlace): Entry[] {
  if (isNoPrice(path, data, value)) return [[path, ['']]];
  if (path !== 'price' || Number(value) !== 0) return [[path, [writePrice(value, place)]]];
  return [
    [path, ['']],
    [NO_PRICE, ['1']],
  ];
}

/** The field to which an input of a form belongs. */
export function fieldOfInput(name: string): string {
  const [field = ''] = name.split('.');
  return field === 'allergen' ? 'allergens' : field;
}

/** A draft with the values that another one has for some fields. */
export function withFieldsOf(
  draft: FormDraft,
  other: FormDraft,
  fields: ReadonlySet<string>,
): FormDraft {
  if (fields.size === 0) return draft;
  const isTaken = ([name]: readonly [string, unknown]) => fields.has(fieldOfInput(name));
  return new Map([...[...draft].filter((one) => !isTaken(one)), ...[...other].filter(isTaken)]);
}

/** A record, as admins see it, as what its form holds. */
export function draftOf(record: RecordType, data: Row, place: FormPlace): FormDraft {
  return new Map(
    editableFields(record).flatMap(([name, field]) => entriesOf(name, name, field, data, place)),
  );
}
