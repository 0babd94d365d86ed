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
import { fieldsOf, type InDish, numberOf, textOf } from './in-menu.ts';
import { known, nameOthers } from './in-rest.ts';
import type { Incoming } from './incoming.ts';
import type { Reported } from './report.ts';

const ALLERGENS = byWord<AllergenKey, string>(GOOGLE_ALLERGENS);
/** A list without a word says nothing: no allergen that is declared here is taken away. */
const NONE_TAKEN_AWAY: ReadonlySet<string> = new Set();
const DIETS = byWord(GOOGLE_DIETS);
const KNOWN_DIETS = new Set([...Object.keys(GOOGLE_DIETS), 'spicy']);

/** A text by language, from labels. @param part `displayName` or `description` */
function words(labels: unknown, part: string): Translations {
  const texts: Translations = {};
  for (const label of rowsIn(labels)) {
    const locale = localeOf(label);
    const text = textOf(label[part]);
    if (locale !== 'und' && text !== '') texts[locale] ??= text;
  }
  return texts;
}

const localeOf = ({ languageCode }: Row) => requestedLocale(textOf(languageCode) || 'en');

/** Names labels in languages that menus cannot have, or in one that is there already. */
function nameLanguages({ losses }: Incoming, record: Reported, labels: unknown, field = 'name') {
  const codes = rowsIn(labels).map(localeOf);
  if (codes.includes('und') || new Set(codes).size < codes.length) {
    losses.lossy(record, field, 'languageLeftOut');
  }
}

function priceOf(attributes: Row): number | null {
  const money = fieldsOf(attributes.price);
  const units = numberOf(money.units ?? (money.nanos === undefined ? undefined : '0'));
  if (units === null) return null;
  return Number((units + (numberOf(money.nanos) ?? 0) / 1e9).toFixed(6));
}

/** The certain part of a list. SHELLFISH may be either of two: then nothing is declared. */
function allergensOf(incoming: Incoming, record: Reported, list: unknown) {
  if (!Array.isArray(list) || list.length === 0) return {};
  if (list.includes(GOOGLE_SHELLFISH)) {
    incoming.losses.lossy(record, 'allergens', 'joinedAllergen');
    if (list.includes(GOOGLE_WHEAT)) {
      incoming.losses.lossy(record, 'allergen_detail', 'joinedAllergen');
    }
    return {};
  }
  const isWheat = list.includes(GOOGLE_WHEAT);
  const keys = list.filter((word) => word !== GOOGLE_WHEAT).map((word) => ALLERGENS.get(word));
  if (keys.includes(undefined)) {
    incoming.losses.lossy(record, 'allergens', 'unknownTag');
    if (isWheat) incoming.losses.lossy(record, 'allergen_detail', 'unknownTag');
    return {};
  }
  incoming.losses.lossy(record, 'allergens', 'partOfAllergens');
  const allergens = [...(isWheat ? ['cereali_glutine' as const] : []), ...(keys as AllergenKey[])];
  return {
    allergens,
    knownAllergens: NONE_TAKEN_AWAY,
    ...(isWheat && { kinds: ['grano' as const] }),
  };
}

/** The name of a size: the unit of the portion, else the label. */
function sizeName(attributes: Row, labels: unknown): Translations {
  const unit = words(fieldsOf(attributes.portionSize).unit, 'displayName');
  return Object.keys(unit).length > 0 ? unit : words(labels, 'displayName');
}

/** Fields that are read, or that say nothing of a menu. */
const READ = {
  root: known('name menus'),
  menu: known('labels sourceUrl sections'),
  section: known('labels items'),
  item: known('labels attributes options'),
  attributes: known(`price spiciness allergen dietaryRestriction nutritionFacts servesNumPeople
    ingredients portionSize`),
  option: known('labels attributes'),
  optionAttributes: known('price portionSize'),
};

function sizesOf(incoming: Incoming, item: Row, record: Reported) {
  const { losses } = incoming;
  const attributes = fieldsOf(item.attributes);
  const others = rowsIn(item.options);
  const isSized = attributes.portionSize !== undefined;
  if (others.length === 0 && !isSized) return [];
  if (!isSized) losses.lossy(record, 'variants', 'sizeUnnamed');
  const first = { name: sizeName(attributes, item.labels), price: priceOf(attributes) };
  const portions = [attributes, ...others.map((one) => fieldsOf(one.attributes))];
  for (const { portionSize } of portions) {
    const { quantity, unit } = fieldsOf(portionSize);
    nameLanguages(incoming, record, unit, 'variants');
    if (quantity !== undefined && quantity !== 1) losses.lossy(record, 'variants', 'noPlace');
  }
  return [
    first,
    ...others.map((option) => {
      const own = fieldsOf(option.attributes);
      nameOthers(losses, record, option, READ.option, 'variants');
      nameOthers(losses, record, own, READ.optionAttributes, 'variants');
      return { name: sizeName(own, option.labels), price: priceOf(own) ?? first.price };
    }),
  ];
}

/** The energy of an item; null where none is stated, or not in one number of kilocalories. */
function kcalOf({ losses }: Incoming, record: Reported, nutrition: Row): number | null {
  nameOthers(losses, record, nutrition, known('calories'), 'nutritionFacts');
  const { lowerAmount, upperAmount, unit } = fieldsOf(nutrition.calories);
  const lower = numberOf(lowerAmount);
  if (lower === null) return null;
  const isOne = upperAmount === undefined || numberOf(upperAmount) === lower;
  if (isOne && unit === 'CALORIE') return Math.round(lower);
  losses.lossy(record, 'kcal', 'noPlace');
  return null;
}

function labelsOf({ losses }: Incoming, record: Reported, attributes: Row) {
  const diets = listIn(attributes.dietaryRestriction).map((one) => DIETS.get(one) ?? null);
  const spiciness = textOf(attributes.spiciness);
  const isSpicy = ['MILD', 'MEDIUM', 'HOT'].includes(spiciness);
  if (diets.includes(null)) losses.lossy(record, 'labels', 'unknownTag');
  // How hot it is has no place here.
  if (spiciness !== '' && spiciness !== 'MEDIUM') losses.lossy(record, 'labels', 'noPlace');
  const given = [...diets.filter((one) => one !== null), ...(isSpicy ? ['spicy'] : [])];
  return { given, known: KNOWN_DIETS };
}

function dishOf(incoming: Incoming, item: Row, place: { key: string; section: string }): InDish {
  const { losses } = incoming;
  const name = words(item.labels, 'displayName');
  const record = incoming.record('items', place.key, name);
  const attributes = fieldsOf(item.attributes);
  const description = words(item.labels, 'description');
  nameLanguages(incoming, record, item.labels);
  nameOthers(losses, record, item, READ.item);
  nameOthers(losses, record, attributes, READ.attributes);
  const kcal = kcalOf(incoming, record, fieldsOf(attributes.nutritionFacts));
  const serves = numberOf(attributes.servesNumPeople);
  const ingredients = rowsIn(attributes.ingredients).map(({ labels }) => labels);
  const [only, second] = ingredients;
  if (second) losses.lossy(record, 'ingredients', 'noPlace');
  nameLanguages(incoming, record, only, 'ingredients');
  const texts = second ? {} : words(only, 'displayName');
  return {
    ...{ ...place, name, price: priceOf(attributes) },
    ...(Object.keys(description).length > 0 && { description }),
    sizes: sizesOf(incoming, item, record),
    ...allergensOf(incoming, record, attributes.allergen),
    labels: labelsOf(incoming, record, attributes),
    fields: {
      ...(kcal !== null && { kcal }),
      ...(serves !== null && { serves }),
      ...(Object.keys(texts).length > 0 && { ingredients: texts }),
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
export function* googleIn(source: unknown, incoming: Incoming): Generator<void, boolean> {
  const root = fieldsOf(source);
  if (!Array.isArray(root.menus)) return false;
  yield* incoming.readCurrencies(root.menus);
  const { losses } = incoming;
  nameOthers(losses, incoming.record('settings', null, ''), root, READ.root);
  const keyOf = createKeys();
  const menus = rowsIn(root.menus);
  for (const menu of menus) {
    const title = Object.values(words(menu.labels, 'displayName'))[0] ?? '';
    const record = { resource: 'menus', id: textOf(root.name), name: title };
    nameOthers(losses, record, menu, READ.menu);
    // The only menu is that of the restaurant.
    if (menus.length > 1) losses.lossy(record, 'labels', 'noPlace');
    for (const section of rowsIn(menu.sections)) {
      const name = words(section.labels, 'displayName');
      const notes = words(section.labels, 'description');
      const key = keyOf('section', name);
      const own = incoming.record('categories', key, name);
      nameLanguages(incoming, own, section.labels);
      nameOthers(losses, own, section, READ.section);
      incoming.section({ key, name, ...(Object.keys(notes).length > 0 && { notes }) });
      for (const item of rowsIn(section.items)) {
        const itemKey = keyOf('item', name, words(item.labels, 'displayName'));
        const place = { key: itemKey, section: key };
        incoming.dish(itemKey, () => dishOf(incoming, item, place));
        yield;
      }
    }
  }
  return true;
}
