import { toUtc } from '../../../db/runtime/zone-clock.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import { dish } from '../../../db/schema/dish.ts';
import type { Field } from '../../../db/schema/field.ts';
import { type RecordType, saysSame } from '../../../db/schema/record.ts';
import { findCountry } from '../../../db/schema/values/country.ts';
import { currencyDecimals, USUAL_CURRENCY } from '../../../db/schema/values/currency.ts';
import { ALL_LOCALES } from '../../../db/schema/values/locale.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import {
  editableFields,
  type FormDraft,
  type FormPlace,
  isNothing,
  NO_PRICE,
  one,
} from './draft.ts';

/** So many objects more than a list may have are read: the field's own rule says so. */
const TOO_MANY = 8;

/** A language without a text is left out: what is sent replaces all of them. */
function readTexts(draft: FormDraft, name: string): Row {
  const texts = ALL_LOCALES.map((locale) => [locale, one(draft, `${name}.${locale}`)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text.trim() !== ''));
}

/**
 * `12,50` and `12.50` mean the same, with spaces and a sign of the currency too, as `1.250,00` does. In
 * a currency without decimals `1.250` and `1,250` are thousands.
 */
export function readPrice(text: string, currency = USUAL_CURRENCY): string {
  const digits = text.replace(/[\s\p{Sc}]/gu, '');
  if (currencyDecimals(currency) === 0 && /^\d{1,3}([.,]\d{3})+$/.test(digits)) {
    return digits.replace(/[.,]/g, '');
  }
  if (/^\d{1,3}(\.\d{3})+,\d{1,4}$/.test(digits)) {
    return digits.replaceAll('.', '').replace(',', '.');
  }
  if (/^\d{1,3}(,\d{3})+\.\d{1,4}$/.test(digits)) return digits.replaceAll(',', '');
  return /^\d+,\d*$/.test(digits) ? digits.replace(',', '.') : digits;
}

const isEmpty = (value: unknown) => value === false || isNothing(value);

/** The places of a list's objects that a draft names, in their order. */
function placesIn(draft: FormDraft, path: string, end: number): number[] {
  const start = `${path}.`;
  const places = new Set<number>();
  for (const name of draft.keys()) {
    if (name.startsWith(start)) places.add(Number.parseInt(name.slice(start.length), 10));
  }
  return [...places].filter((place) => place < end).sort((a, b) => a - b);
}

/** The objects of a list in a form's draft, as a body of the API has them; empty ones are left out. */
function readRows(
  path: string,
  { parts = {}, max = 0 }: Field,
  draft: FormDraft,
  place: FormPlace,
): Row[] {
  const rows = placesIn(draft, path, max + TOO_MANY).map((index) =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([name, part]) => {
        const value = readField(`${path}.${index}.${name}`, part, draft, place);
        const isUnsaid = part.isSparse && !part.options.isAvailability && isEmpty(value);
        return isUnsaid ? [] : [[name, value]];
      }),
    ),
  );
  return rows.filter(
    (row) =>
      !Object.entries(row).every(
        ([name, value]) => isEmpty(value) || value === parts[name]?.options.default,
      ),
  );
}

/** The sizes of a dish's form. */
export function readVariants(draft: FormDraft, place: FormPlace): { label: Row; price: string }[] {
  const rows = readRows('variants', dish.fields.variants, draft, place);
  return rows as { label: Row; price: string }[];
}

function readAllergens(draft: FormDraft, presence: 'contains' | 'may'): string[] {
  return allergens.keys.filter((key) => one(draft, `allergen.${key}`) === presence);
}

function readContained(draft: FormDraft): string[] | null {
  const isDeclared = one(draft, 'allergens.declared') === '1';
  return isDeclared ? readAllergens(draft, 'contains') : null;
}

/** Some of a few words; null where nothing is stated, and could be. */
function readChoices(name: string, { options }: Field, draft: FormDraft): string[] | null {
  const chosen = [...(draft.get(name) ?? [])];
  const isStated = options.default !== null || one(draft, `${name}.declared`) === '1';
  return isStated || chosen.length > 0 ? chosen : null;
}

function readMoment(draft: FormDraft, name: string, { timezone }: FormPlace): string | null {
  const choice = one(draft, name);
  if (choice === 'until') return toUtc(one(draft, `${name}.at`), timezone) || 'until';
  return choice === 'indefinitely' ? choice : null;
}

/** The value of one field of a form, in the form that a body of the API has. */
export function readField(name: string, field: Field, draft: FormDraft, place: FormPlace): unknown {
  if (field.isTranslated) return readTexts(draft, name);
  if (name === 'allergens') return readContained(draft);
  if (name === 'traces') return readAllergens(draft, 'may');
  switch (field.kind) {
    case 'flag':
      return one(draft, name) === '1';
    case 'price':
      return (
        readPrice(one(draft, name), place.currency) ||
        (isWithoutPrice(name, draft, place) ? '0' : '')
      );
    case 'decimal':
      return one(draft, name).trim().replace(',', '.') || null;
    case 'country': {
      const text = one(draft, name).trim();
      return text === '' ? null : (findCountry(text) ?? text);
    }
    case 'list':
      return readRows(name, field, draft, place);
    case 'urls':
      return one(draft, name).split(/\s+/).filter(Boolean);
    case 'references':
      return Array.from({ length: (field.max ?? 0) + TOO_MANY }, (_, index) =>
        one(draft, `${name}.${index}`),
      ).filter((id) => id !== '');
    case 'reference':
      return one(draft, name) || null;
    case 'choices':
      return readChoices(name, field, draft);
    case 'choice':
      return one(draft, name) || (name.includes('.') ? (field.options.default ?? null) : null);
    case 'weekdays':
      return [...(draft.get(name) ?? [])];
    case 'moment':
      return readMoment(draft, name, place);
    case 'instant':
      return one(draft, name) === '' ? null : toUtc(one(draft, name), place.timezone);
    case 'color':
      return one(draft, name).toUpperCase();
    default:
      return one(draft, name) === '' ? null : one(draft, name);
  }
}

/** The fields in which two drafts differ. */
export function changedFields(
  record: RecordType,
  before: FormDraft,
  after: FormDraft,
  place: FormPlace,
): [string, Field][] {
  const read = (name: string, field: Field, draft: FormDraft) =>
    readField(name, field, draft, place);
  return editableFields(record).filter(
    ([name, field]) => !saysSame(field, read(name, field, before), read(name, field, after)),
  );
}

/** Whether a dish has no price, or guests ask for it: then it may have none, which is stored as 0. */
function isWithoutPrice(name: string, draft: FormDraft, place: FormPlace): boolean {
  const isNone = [NO_PRICE, 'price_on_request'].some((box) => one(draft, box) === '1');
  return name === 'price' && isNone && readVariants(draft, place).length === 0;
}

/** A body of the API with these fields of a form. */
export function readFields(
  fields: readonly [string, Field][],
  draft: FormDraft,
  place: FormPlace,
): Row {
  const read = fields.map(([name, field]) => [name, readField(name, field, draft, place)]);
  return Object.fromEntries(
    read.filter(
      ([name, value]) =>
        name !== 'price' || value !== '' || readVariants(draft, place).length === 0,
    ),
  );
}
