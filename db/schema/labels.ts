import { defineDictionary } from './dictionary.ts';

/** Properties of a dish that guests look for or must know; keys never change. */
export const dishLabels = defineDictionary('labels', [
  'vegetarian',
  'vegan',
  'gluten_free',
  'lactose_free',
  'spicy',
  'halal',
  'kosher',
  'organic',
  'local',
  'homemade',
  'frozen',
  'new',
]);
