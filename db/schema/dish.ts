import { allergenKeySchema } from './allergen.ts';
import { labels, type ShownOf, type StoredOf } from './field.ts';
import {
  choices,
  displayOrder,
  embedded,
  flag,
  nullableReference,
  price,
  reference,
  requiredTranslations,
  translations,
} from './kinds.ts';
import { defineRecord } from './record.ts';
import { winery } from './winery.ts';

/** A dish or wine (SPEC, "MenuItem"). */
export const dish = defineRecord({
  resource: 'items',
  table: 'dishes',
  schema: 'MenuItem',
  one: 'a dish or wine',
  label: labels('Piatto', 'Dish', 'Plat', 'Gericht', 'Plato'),
  isOnMenu: true,
  parent: 'category_id',
  fields: {
    category_id: reference('categories', {
      label: labels('Sezione', 'Section', 'Section', 'Bereich', 'Sección'),
      description: 'The section that it belongs to.',
      filter: 'Only dishes of this section.',
      onDelete: 'cascade',
    }),
    type_id: nullableReference('types', {
      label: labels(
        'Tipologia',
        'Sub-category',
        'Sous-catégorie',
        'Unterkategorie',
        'Subcategoría',
      ),
      description: 'The sub-category of the same section that it belongs to.',
      filter: 'Only dishes of this sub-category.',
      onDelete: 'detach',
      within: 'category_id',
    }),
    winery_id: nullableReference('wineries', {
      label: labels('Cantina', 'Winery', 'Domaine viticole', 'Weingut', 'Bodega'),
      description: 'The producer of a wine.',
      onDelete: 'detach',
    }),
    name: requiredTranslations(200, {
      label: labels('Nome', 'Name', 'Nom', 'Name', 'Nombre'),
      description: 'Its name.',
    }),
    description: translations(2_000, {
      label: labels('Descrizione', 'Description', 'Description', 'Beschreibung', 'Descripción'),
      description: 'What guests read below the name.',
    }),
    price: price({
      label: labels('Prezzo', 'Price', 'Prix', 'Preis', 'Precio'),
      description: 'Its price in the restaurant’s currency.',
    }),
    allergens: choices(allergenKeySchema, {
      label: labels('Allergeni', 'Allergens', 'Allergènes', 'Allergene', 'Alérgenos'),
      description: 'Keys of the allergens that it contains.',
    }),
    is_active: flag({
      label: labels('Visibile', 'Visible', 'Visible', 'Sichtbar', 'Visible'),
      description: 'Whether guests see it.',
      default: true,
    }),
    is_recommended: flag({
      label: labels('Consigliato', 'Recommended', 'Recommandé', 'Empfohlen', 'Recomendado'),
      description: 'Whether the restaurant recommends it.',
      filter: '1: only recommended dishes; 0: only the others.',
    }),
    display_order: displayOrder({
      label: labels('Posizione', 'Position', 'Position', 'Position', 'Posición'),
      description: 'Its place in the section, in ascending order.',
    }),
    winery: embedded('winery_id', winery, {
      label: winery.label,
      description: 'The producer of a wine; null for a dish without one.',
    }),
  },
  example: {
    id: 7,
    category_id: 2,
    name: { it: 'Gricia', en: 'Gricia' },
    price: 11.5,
    allergens: ['cereali_glutine', 'latte'],
  },
});
export type StoredDish = StoredOf<typeof dish.fields>;
export type Dish = ShownOf<typeof dish.fields>;
