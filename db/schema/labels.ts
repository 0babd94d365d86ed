import { defineDictionary } from './dictionary.ts';
import { labels } from './field.ts';

/** Properties of a dish that guests look for or must know; keys never change. */
export const dishLabels = defineDictionary({
  vegetarian: labels('Vegetariano', 'Vegetarian', 'Végétarien', 'Vegetarisch', 'Vegetariano'),
  vegan: labels('Vegano', 'Vegan', 'Végan', 'Vegan', 'Vegano'),
  gluten_free: labels('Senza glutine', 'Gluten-free', 'Sans gluten', 'Glutenfrei', 'Sin gluten'),
  lactose_free: labels(
    'Senza lattosio',
    'Lactose-free',
    'Sans lactose',
    'Laktosefrei',
    'Sin lactosa',
  ),
  spicy: labels('Piccante', 'Spicy', 'Épicé', 'Scharf', 'Picante'),
  halal: labels('Halal', 'Halal', 'Halal', 'Halal', 'Halal'),
  kosher: labels('Kosher', 'Kosher', 'Casher', 'Koscher', 'Kosher'),
  organic: labels('Biologico', 'Organic', 'Bio', 'Bio', 'Ecológico'),
  local: labels('Locale', 'Local', 'Local', 'Regional', 'Local'),
  homemade: labels('Fatto in casa', 'Homemade', 'Fait maison', 'Hausgemacht', 'Casero'),
  frozen: labels('Surgelato', 'Frozen', 'Surgelé', 'Tiefgekühlt', 'Congelado'),
  new: labels('Novità', 'New', 'Nouveau', 'Neu', 'Novedad'),
});
