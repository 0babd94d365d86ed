import { address, flag, list, map, matching, number, object, oneOf, text, whole } from './parts.ts';

const tag = oneOf(
  ...['GLUTEN', 'DAIRY', 'WHEAT', 'RYE', 'BARLEY', 'OAT', 'SPELT', 'KAMUT', 'CRUSTACEAN'],
  ...['MOLLUSK', 'EGG', 'FISH', 'PEANUT', 'SOYBEAN', 'NUT', 'ALMOND', 'HAZELNUT', 'WALNUT'],
  ...['CASHEW', 'PECAN', 'BRAZIL_NUT', 'PISTACHIO', 'MACADAMIA_NUT', 'QUEENSLAND_NUT', 'LUPIN'],
  ...['CELERY', 'MUSTARD', 'SESAME_SEED', 'SULFITE', 'CAFFEINE', 'PHENYLALANINE'],
);
const name = { type: 'string' };
const item = object({
  id: text(),
  name,
  'description?': text(),
  price: object({ currencyCode: matching('^[A-Z]{3}$'), amount: number() }),
  status: object({
    saleStatus: oneOf(...['FOR_SALE', 'TEMPORARILY_NOT_FOR_SALE', 'INDEFINITELY_NOT_FOR_SALE']),
    'suspendedUntil?': text(),
  }),
  'modifierGroupIds?': list(text(), 1),
  'photoIds?': list(text(), 1),
  'skuDetails?': object({
    'allergenClassifications?': list(object({ tag, containsAllergen: flag }), 1),
    'additives?': list(text(), 1),
    'containsAlcohol?': flag,
  }),
  'tax?': object({ percentageValue: number(0, 100), isValueAddedTax: flag }),
});
const interval = object({
  day: oneOf(...['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']),
  fromHour: whole(0, 23),
  fromMinute: whole(0, 59),
  toHour: whole(0, 23),
  toMinute: whole(0, 59),
});
const menu = object({
  id: text(),
  name,
  categoryIds: list(text(), 1),
  fulfillmentModes: list(oneOf('DELIVERY', 'PICK_UP', 'DINE_IN'), 1),
  'hours?': object({ intervals: list(interval, 1) }),
});
const category = object({ id: text(), name, 'description?': text(), itemIds: list(text(), 1) });
const group = object({
  id: text(),
  name,
  minimumSelections: whole(),
  maximumSelections: whole(),
  itemIds: list(text(), 1),
});

/** The menus of the public API. */
export const otterSchema = object({
  menus: map(menu),
  categories: map(category),
  items: map(item),
  modifierGroups: map(group),
  photos: map(object({ id: text(), url: address })),
});
