import * as v from 'valibot';
import { additives } from './additives.ts';
import { type AllergenKey, allergens as allergenDictionary } from './allergens.ts';
import { labels, type ShownOf, type StoredOf } from './field.ts';
import {
  choices,
  computedFlag,
  declaredChoices,
  displayOrder,
  embedded,
  externalId,
  flag,
  moment,
  nullableChoice,
  nullableInteger,
  nullableReference,
  nullableUrl,
  price,
  reference,
  requiredTranslations,
  text,
  translations,
  variants,
  visibility,
} from './kinds.ts';
import { dishLabels } from './labels.ts';
import { defineRecord, type Row } from './record.ts';
import { NEVER } from './validation/date-fields.ts';
import { winery } from './winery.ts';

export const PRICE_UNITS = [
  'piece',
  'person',
  '100g',
  'kg',
  'glass',
  'carafe',
  'bottle',
  'half_litre',
  'litre',
] as const;

/** An allergen that a dish turns out to contain is no longer one that it may contain. */
function deriveAllergens(input: Row, after: Row): Row {
  if (!('allergens' in input)) return {};
  const contained = (input.allergens ?? []) as AllergenKey[];
  const traces = (after.traces ?? []) as AllergenKey[];
  return {
    allergens: contained,
    contains_none: input.allergens !== null && contained.length === 0,
    ...(!('traces' in input) && { traces: traces.filter((key) => !contained.includes(key)) }),
  };
}

/** The price of a dish with sizes is that of the cheapest. */
function derivePrice(input: Row, after: Row): Row {
  const sizes = (after.variants ?? []) as { price: number }[];
  if (sizes.length === 0 || !('variants' in input || 'price' in input)) return {};
  return { price: Math.min(...sizes.map(({ price: each }) => each)) };
}

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
    external_id: externalId(),
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
    price_on_request: flag({
      label: labels(
        'Prezzo su richiesta',
        'Price on request',
        'Prix sur demande',
        'Preis auf Anfrage',
        'Precio a consultar',
      ),
      description: 'Whether displays show “on request” instead of the price.',
    }),
    price_unit: nullableChoice(v.picklist(PRICE_UNITS), {
      label: labels(
        'Unità del prezzo',
        'Unit of the price',
        'Unité du prix',
        'Einheit des Preises',
        'Unidad del precio',
      ),
      description: 'What the price is for; null for one serving.',
    }),
    variants: variants({
      label: labels('Formati', 'Sizes', 'Formats', 'Größen', 'Tamaños'),
      description: 'Its sizes with their prices; `price` is then the lowest of them.',
    }),
    allergens: declaredChoices(allergenDictionary.keySchema, {
      label: labels('Allergeni', 'Allergens', 'Allergènes', 'Allergene', 'Alérgenos'),
      description:
        'Keys of the allergens that it contains. `[]` declares that there are none, null that ' +
        'nothing is declared.',
    }),
    allergens_declared: computedFlag({
      label: labels(
        'Allergeni dichiarati',
        'Allergens declared',
        'Allergènes déclarés',
        'Allergene angegeben',
        'Alérgenos declarados',
      ),
      description: 'Whether the restaurant has declared the allergens, be it that there are none.',
    }),
    traces: choices(allergenDictionary.keySchema, {
      label: labels(
        'Può contenere',
        'May contain',
        'Peut contenir',
        'Kann enthalten',
        'Puede contener',
      ),
      description: 'Keys of the allergens that it may contain; none of them is in `allergens`.',
    }),
    additives: choices(additives.keySchema, {
      label: labels('Additivi', 'Additives', 'Additifs', 'Zusatzstoffe', 'Aditivos'),
      description: 'Keys of the additives that it contains.',
    }),
    labels: choices(dishLabels.keySchema, {
      label: labels('Caratteristiche', 'Labels', 'Mentions', 'Merkmale', 'Características'),
      description: 'Keys of what guests look for in it.',
      filter: 'Only dishes with all of these labels: keys with commas between them.',
    }),
    vintage: nullableInteger(1800, 2200, {
      label: labels('Annata', 'Vintage', 'Millésime', 'Jahrgang', 'Añada'),
      description: 'The year of a wine.',
    }),
    grapes: text(200, {
      label: labels('Vitigni', 'Grapes', 'Cépages', 'Rebsorten', 'Uvas'),
      description: 'The grapes of a wine.',
    }),
    denomination: text(200, {
      label: labels('Denominazione', 'Appellation', 'Appellation', 'Herkunft', 'Denominación'),
      description: 'The protected origin of a wine.',
    }),
    photo_url: nullableUrl({
      label: labels('Foto', 'Photo', 'Photo', 'Foto', 'Foto'),
      description: 'The address of a picture of it.',
    }),
    photo_alt: translations(300, {
      label: labels(
        'Descrizione della foto',
        'Description of the photo',
        'Description de la photo',
        'Beschreibung des Fotos',
        'Descripción de la foto',
      ),
      description: 'What the picture shows, for those who cannot see it.',
    }),
    sold_out_until: moment({
      label: labels(
        'Esaurito fino a',
        'Sold out until',
        'Épuisé jusqu’à',
        'Ausverkauft bis',
        'Agotado hasta',
      ),
      description: 'When it is available again; null too when it is sold out indefinitely.',
    }),
    is_sold_out: computedFlag({
      label: labels('Esaurito', 'Sold out', 'Épuisé', 'Ausverkauft', 'Agotado'),
      description: 'Whether guests cannot order it now.',
    }),
    is_active: visibility('Whether guests see it.'),
    is_recommended: flag({
      label: labels('Consigliato', 'Recommended', 'Recommandé', 'Empfohlen', 'Recomendado'),
      description: 'Whether the restaurant recommends it.',
      filter: '1: only recommended dishes; 0: only the others.',
    }),
    display_order: displayOrder('Its place in the section, in ascending order.'),
    winery: embedded('winery_id', winery, {
      label: winery.label,
      description: 'The producer of a wine; null for a dish without one.',
    }),
  },
  asSent: (row) => ({
    allergens: row.allergens_declared ? row.allergens : null,
    sold_out_until: row.is_sold_out ? (row.sold_out_until ?? NEVER) : null,
  }),
  derive: (input, after) => ({
    ...deriveAllergens(input, after),
    ...derivePrice(input, after),
  }),
  example: {
    id: 7,
    category_id: 2,
    name: { it: 'Gricia', en: 'Gricia' },
    price: 11.5,
    allergens: ['cereali_glutine', 'latte'],
    allergens_declared: true,
  },
});
export type StoredDish = StoredOf<typeof dish.fields>;
export type Dish = ShownOf<typeof dish.fields>;
