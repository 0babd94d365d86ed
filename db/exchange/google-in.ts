import { createHash } from 'node:crypto';
import type { AllergenKey } from '../schema/dictionary.ts';
import { requestedLocale, type Translations } from '../schema/values/locale.ts';
import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import {
  byWord,
  GOOGLE_ALLERGENS,
  GOOGLE_DIETS,
  GOOGLE_SHELLFISH,
  GOOGLE_WHEAT,
} from './allergen-crosswalk.ts';
import {
  type ExchangeImport,
  fieldsOf,
  type InDish,
  type InOptions,
  numberOf,
  textOf,
} from './in-menu.ts';
import { createIncoming, type Incoming } from './incoming.ts';

const ALLERGENS = byWord<AllergenKey, string>(GOOGLE_ALLERGENS);
/** The allergens that a list of Google can name: the others stay as they are declared here. */
const KNOWN = new Set<string>([...ALLERGENS.values(), 'cereali_glutine']);
const DIETS = byWord(GOOGLE_DIETS);
const KNOWN_DIETS = new Set([...Object.keys(GOOGLE_DIETS), 'spicy']);

/** A text by language, from labels. @param part `displayName` or `description` */
function words(labels: unknown, part: string): Translations {
  const texts: Translations = {};
  for (const label of rowsIn(labels)) {
    const locale = requestedLocale(textOf(label.languageCode) || 'en');
    const text = textOf(label[part]);
    if (locale !== 'und' && text !== '') texts[locale] ??= text;
  }
  return texts;
}

function priceOf(incoming: Incoming, attributes: Row): number | null {
  const money = fieldsOf(attributes.price);
  const units = numberOf(money.units ?? (money.nanos === undefined ? undefined : '0'));
  if (units === null) return null;
  incoming.currency(money.currencyCode);
  return Number((units + (numberOf(money.nanos) ?? 0) / 1e9).toFixed(6));
}

/** The certain part of a list. SHELLFISH may be either of two: then nothing is declared. */
function allergensOf(incoming: Incoming, record: ReturnType<Incoming['record']>, list: unknown) {
  if (!Array.isArray(list) || list.length === 0) return {};
  if (list.includes(GOOGLE_SHELLFISH)) {
    incoming.losses.lossy(record, 'allergens', 'joinedAllergen');
    return {};
  }
  const isWheat = list.includes(GOOGLE_WHEAT);
  const keys = list.filter((word) => word !== GOOGLE_WHEAT).map((word) => ALLERGENS.get(word));
  if (keys.includes(undefined)) {
    incoming.losses.lossy(record, 'allergens', 'unknownTag');
    return {};
  }
  incoming.losses.lossy(record, 'allergens', 'partOfAllergens');
  const allergens = [...(isWheat ? ['cereali_glutine' as const] : []), ...(keys as AllergenKey[])];
  return { allergens, knownAllergens: KNOWN, ...(isWheat && { kinds: ['grano' as const] }) };
}

/** The name of a size: the unit of the portion, else the label. */
function sizeName(attributes: Row, labels: unknown): Translations {
  const unit = words(fieldsOf(attributes.portionSize).unit, 'displayName');
  return Object.keys(unit).length > 0 ? unit : words(labels, 'displayName');
}

function sizesOf(incoming: Incoming, item: Row, record: ReturnType<Incoming['record']>) {
  const attributes = fieldsOf(item.attributes);
  const others = rowsIn(item.options);
  const isSized = attributes.portionSize !== undefined;
  if (others.length === 0 && !isSized) return [];
  if (!isSized) incoming.losses.lossy(record, 'variants', 'sizeUnnamed');
  const first = { name: sizeName(attributes, item.labels), price: priceOf(incoming, attributes) };
  return [
    first,
    ...others.map((option) => {
      const own = fieldsOf(option.attributes);
      return { name: sizeName(own, option.labels), price: priceOf(incoming, own) ?? first.price };
    }),
  ];
}

function dishOf(incoming: Incoming, item: Row, place: { key: string; section: string }): InDish {
  const name = words(item.labels, 'displayName');
  const record = incoming.record('items', place.key, name);
  const attributes = fieldsOf(item.attributes);
  const description = words(item.labels, 'description');
  const { diets, kcal, ingredients } = {
    diets: listIn(attributes.dietaryRestriction),
    kcal: numberOf(fieldsOf(fieldsOf(attributes.nutritionFacts).calories).lowerAmount),
    ingredients: rowsIn(attributes.ingredients).map(({ labels }) => words(labels, 'displayName')),
  };
  const isSpicy = ['MILD', 'MEDIUM', 'HOT'].includes(textOf(attributes.spiciness));
  for (const field of ['preparationMethods', 'mediaKeys']) {
    if (attributes[field] !== undefined) incoming.losses.lossy(record, field, 'noPlace');
  }
  const serves = numberOf(attributes.servesNumPeople);
  const [only, second] = ingredients;
  if (second) incoming.losses.lossy(record, 'ingredients', 'noPlace');
  return {
    ...{ ...place, name, price: priceOf(incoming, attributes) },
    ...(Object.keys(description).length > 0 && { description }),
    sizes: sizesOf(incoming, item, record),
    ...allergensOf(incoming, record, attributes.allergen),
    labels: {
      given: [...diets.flatMap((one) => DIETS.get(one) ?? []), ...(isSpicy ? ['spicy'] : [])],
      known: KNOWN_DIETS,
    },
    fields: {
      ...(kcal !== null && { kcal: Math.round(kcal) }),
      ...(serves !== null && { serves }),
      ...(only && !second && Object.keys(only).length > 0 && { ingredients: only }),
    },
  };
}

/** A name for what has none at Google: equal labels give equal keys. */
function createKeys() {
  const counts = new Map<string, number>();
  return (...labels: unknown[]) => {
    const text = JSON.stringify(labels);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    const digest = createHash('sha256').update(`${text}${count}`).digest('hex').slice(0, 24);
    return `google.${digest}`;
  };
}

/** Food Menus of a Business Profile. A step is one dish. */
export function* googleIn(
  source: unknown,
  options: InOptions,
): Generator<void, ExchangeImport | null> {
  const root = fieldsOf(source);
  if (!Array.isArray(root.menus)) return null;
  const incoming = createIncoming('google', options);
  const keyOf = createKeys();
  for (const menu of rowsIn(root.menus)) {
    if (menu.cuisines !== undefined) {
      const name = Object.values(words(menu.labels, 'displayName'))[0] ?? '';
      const record = { resource: 'menus', id: textOf(root.name), name };
      incoming.losses.lossy(record, 'cuisines', 'noPlace');
    }
    for (const section of rowsIn(menu.sections)) {
      const name = words(section.labels, 'displayName');
      const notes = words(section.labels, 'description');
      const key = keyOf('section', name);
      incoming.section({ key, name, ...(Object.keys(notes).length > 0 && { notes }) });
      for (const item of rowsIn(section.items)) {
        const own = keyOf('item', name, words(item.labels, 'displayName'));
        incoming.dish(dishOf(incoming, item, { key: own, section: key }));
        yield;
      }
    }
  }
  return incoming.finish();
}
