import { address, list, matching, object, oneOf, text } from './parts.ts';

const only = (value: string) => oneOf(value);
const offer = object({
  '@type': only('Offer'),
  'name?': text(),
  'price?': matching('^\\d+(\\.\\d+)?$'),
  'priceCurrency?': matching('^[A-Z]{3}$'),
  'availability?': only('https://schema.org/SoldOut'),
  'validFrom?': text(),
  'validThrough?': text(),
  'availabilityStarts?': text(),
  'availabilityEnds?': text(),
});
const diets = ['Vegetarian', 'Vegan', 'GlutenFree', 'LowLactose', 'Halal', 'Kosher'];
const diet = oneOf(...diets.map((name) => `https://schema.org/${name}Diet`));
const item = object({
  '@type': only('MenuItem'),
  name: { type: 'string' },
  'description?': text(),
  'image?': address,
  'nutrition?': object({
    '@type': only('NutritionInformation'),
    calories: matching('^\\d+ kcal$'),
  }),
  'suitableForDiet?': list(diet, 1),
  'menuAddOn?': list({ $ref: '#/$defs/section' }, 1),
  'offers?': { anyOf: [offer, list(offer, 2)] },
});
const section = object({
  '@type': only('MenuSection'),
  'name?': { type: 'string' },
  'hasMenuItem?': list({ $ref: '#/$defs/item' }),
  'hasMenuSection?': list({ $ref: '#/$defs/section' }),
});

/** A restaurant with its menu, in the words of schema.org. */
export const schemaSchema = {
  $defs: { item, section },
  ...object({
    '@context': only('https://schema.org'),
    '@type': only('Restaurant'),
    '@id': address,
    name: text(),
    url: address,
    hasMenu: object({
      '@type': only('Menu'),
      '@id': address,
      url: address,
      inLanguage: text(),
      dateModified: text(),
      hasMenuSection: list({ $ref: '#/$defs/section' }),
    }),
  }),
};
