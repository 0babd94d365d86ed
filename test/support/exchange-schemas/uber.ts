import { address, list, matching, object, oneOf, text, whole } from './parts.ts';

const id = matching('^[^/;]+$');
// One language alone is sent.
const words = object({
  translations: {
    type: 'object',
    patternProperties: { '^[a-z]{2,3}_[a-z]{2,3}$': { type: 'string' } },
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  },
});
const time = matching('^([01]\\d|2[0-3]):[0-5]\\d$');
const day = oneOf(
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
);
const available = object({
  day_of_week: day,
  time_periods: list(object({ start_time: time, end_time: time }), 1),
});
const item = oneOf('ITEM');
const energy = object({
  energy_interval: object({ lower: whole(), upper: whole() }),
  display_type: oneOf('single_item', 'double_items', 'additive_item', 'multiple_items'),
});
const percent = { type: 'number', minimum: 0, maximum: 100 };

/** MenuConfiguration of version 2. */
export const uberSchema = object({
  menus: list(
    object({ id, title: words, service_availability: list(available, 1), category_ids: list(id) }),
  ),
  categories: list(
    object({ id, title: words, 'subtitle?': words, entities: list(object({ id, type: item }), 1) }),
  ),
  items: list(
    object({
      id,
      title: words,
      'description?': words,
      'image_url?': address,
      price_info: object({ price: whole() }),
      'modifier_group_ids?': object({ ids: list(id, 1) }),
      tax_info: object({ 'vat_rate_percentage?': percent, 'tax_rate?': percent }),
      'nutritional_info?': object({ 'calories?': energy, 'allergens?': list(text(), 1) }),
      'dish_info?': object({
        classifications: object({
          'dietary_label_info?': object({
            labels: list(oneOf('VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'), 1),
          }),
          'alcoholic_items?': whole(1),
          'ingredients?': list(text(), 1, 50),
          'additives?': list(text(), 1),
        }),
      }),
      'beverage_info?': object({ alcohol_by_volume: whole(0, 10_000) }),
      'suspension_info?': object({ suspension: object({ suspend_until: whole() }) }),
    }),
  ),
  modifier_groups: list(
    object({
      id,
      title: words,
      quantity_info: object({
        quantity: object({ min_permitted: whole(), 'max_permitted?': whole(1) }),
      }),
      modifier_options: list(object({ id, type: item }), 1),
    }),
  ),
});
