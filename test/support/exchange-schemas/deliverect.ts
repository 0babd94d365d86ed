import { address, list, map, object, oneOf, text, whole } from './parts.ts';

const words = map(text());
const any = { type: 'string' };
const tags = { ...list(whole(1, 200), 1), uniqueItems: true };

/** The body of POST /productAndCategories. */
export const deliverectSchema = object({
  accountId: any,
  locationId: any,
  products: list(
    object({
      productType: oneOf(1, 2, 3, 4),
      plu: text(),
      'name?': text(),
      'nameTranslations?': words,
      'description?': text(),
      'descriptionTranslations?': words,
      price: whole(),
      'posCategoryIds?': list(text(), 1),
      'imageUrl?': address,
      'productTags?': tags,
      'subProducts?': list(text(), 1),
      'min?': whole(),
      'max?': whole(),
      'supplementalInfo?': object({
        'ingredients?': list(text(), 1),
        'additives?': list(text(), 1),
      }),
      'deliveryTax?': whole(0, 100_000),
      'takeawayTax?': whole(0, 100_000),
      'eatInTax?': whole(0, 100_000),
    }),
  ),
  categories: list(
    object({
      'name?': text(),
      'nameTranslations?': words,
      posCategoryId: text(),
      'description?': text(),
    }),
  ),
});
