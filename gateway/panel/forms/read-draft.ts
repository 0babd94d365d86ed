import { allergens } from '../../../db/schema/allergens.ts';
import type { Field } from '../../../db/schema/field.ts';
import { ALL_LOCALES } from '../../../db/schema/locale.ts';
import type { RecordType, Row } from '../../../db/schema/record.ts';
import { type Draft, editableFields, type FormPlace, one } from './draft.ts';
import { toUtc } from './local-moment.ts';

/** More sizes than a dish may have: the field's own rule says so. */
const MOST_VARIANTS = 20;

/** A language without a text is left out: what is sent replaces all of them. */
function readTexts(draft: Draft, name: string): Row {
  const texts = ALL_LOCALES.map((locale) => [locale, one(draft, `${name}.${locale}`)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text.trim() !== ''));
}

/** `12,50` and `12.50` mean the same, with spaces and a sign of the currency too, as `1.250,00` does. */
export function readPrice(text: string): string {
  const digits = text.replace(/[\s€$£]/g, '');
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(digits)) {
    return digits.replaceAll('.', '').replace(',', '.');
  }
  if (/^\d{1,3}(,\d{3})+\.\d{1,2}$/.test(digits)) return digits.replaceAll(',', '');
  return /^\d+,\d*$/.test(digits) ? digits.replace(',', '.') : digits;
}

/** The sizes of a form's draft, as a body of the API has them. */
export function readVariants(draft: Draft, name: string): { label: Row; price: string }[] {
  const variants = Array.from({ length: MOST_VARIANTS }, (_, index) => {
    const label = readTexts(draft, `${name}.${index}.label`);
    return { label, price: readPrice(one(draft, `${name}.${index}.price`)) };
  });
  return variants.filter(({ label, price }) => price !== '' || Object.keys(label).length > 0);
}

function readAllergens(draft: Draft, presence: 'contains' | 'may'): string[] {
  return allergens.keys.filter((key) => one(draft, `allergen.${key}`) === presence);
}

function readContained(draft: Draft): string[] | null {
  const isDeclared = one(draft, 'allergens.declared') === '1';
  return isDeclared ? readAllergens(draft, 'contains') : null;
}

function readMoment(draft: Draft, name: string, { timezone }: FormPlace): string | null {
  const choice = one(draft, name);
  if (choice === 'until') return toUtc(one(draft, `${name}.at`), timezone) || 'until';
  return choice === 'indefinitely' ? choice : null;
}

/** The value of one field of a form, in the form that a body of the API has. */
export function readField(name: string, field: Field, draft: Draft, place: FormPlace): unknown {
  if (field.isTranslated) return readTexts(draft, name);
  if (name === 'allergens') return readContained(draft);
  if (name === 'traces') return readAllergens(draft, 'may');
  switch (field.kind) {
    case 'flag':
      return one(draft, name) === '1';
    case 'price':
      return readPrice(one(draft, name)) || (isWithoutPrice(draft) ? '0' : '');
    case 'variants':
      return readVariants(draft, name);
    case 'choices':
    case 'weekdays':
      return [...(draft.get(name) ?? [])];
    case 'moment':
      return readMoment(draft, name, place);
    case 'color':
      return one(draft, name).toUpperCase();
    default:
      return one(draft, name) === '' ? null : one(draft, name);
  }
}

/** The fields in which two drafts differ. */
export function changedFields(
  record: RecordType,
  before: Draft,
  after: Draft,
  place: FormPlace,
): [string, Field][] {
  const read = (name: string, field: Field, draft: Draft) =>
    JSON.stringify(readField(name, field, draft, place));
  return editableFields(record).filter(
    ([name, field]) => read(name, field, before) !== read(name, field, after),
  );
}

/** Whether guests ask for the price of a dish: then it may have none, which is stored as 0. */
function isWithoutPrice(draft: Draft): boolean {
  return one(draft, 'price_on_request') === '1' && readVariants(draft, 'variants').length === 0;
}

/** A body of the API with these fields of a form. */
export function readFields(
  fields: readonly [string, Field][],
  draft: Draft,
  place: FormPlace,
): Row {
  const read = fields.map(([name, field]) => [name, readField(name, field, draft, place)]);
  return Object.fromEntries(
    read.filter(
      ([name, value]) =>
        name !== 'price' || value !== '' || readVariants(draft, 'variants').length === 0,
    ),
  );
}
