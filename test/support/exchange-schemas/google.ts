import { address, list, matching, object, oneOf, text, whole } from './parts.ts';

const label = object({
  displayName: text(140),
  'description?': text(1_000),
  languageCode: matching('^[a-z]{2,3}(-[A-Za-z]{4})?$'),
});
const labels = list(label, 1);

const money = object({
  currencyCode: matching('^[A-Z]{3}$'),
  units: matching('^\\d+$'),
  'nanos?': whole(1, 999_999_999),
});
const calories = object({
  lowerAmount: whole(),
  'upperAmount?': whole(),
  unit: oneOf('CALORIE', 'JOULE'),
});
const allergens = oneOf(
  ...['DAIRY', 'EGG', 'FISH', 'PEANUT', 'SHELLFISH', 'SOY', 'TREE_NUT', 'WHEAT'],
);
const diets = oneOf('HALAL', 'KOSHER', 'ORGANIC', 'VEGAN', 'VEGETARIAN');
const attributes = object({
  price: money,
  'spiciness?': oneOf('MILD', 'MEDIUM', 'HOT'),
  'allergen?': { ...list(allergens, 1), uniqueItems: true },
  'dietaryRestriction?': { ...list(diets, 1), uniqueItems: true },
  'nutritionFacts?': object({ calories }),
  'ingredients?': list(object({ labels }), 1),
  'servesNumPeople?': whole(1),
  'portionSize?': object({ quantity: whole(1), unit: labels }),
});
const option = object({ labels, attributes });
const item = object({ labels, attributes, 'options?': list(option, 1) });
// Sections have no sections.
const section = object({ labels, items: list(item, 1) });

/** FoodMenus of the Business Profile API. */
export const googleSchema = object({
  name: matching('^accounts/[^/]+/locations/[^/]+/foodMenus$'),
  menus: list(object({ labels, sourceUrl: address, sections: list(section, 1) })),
});
