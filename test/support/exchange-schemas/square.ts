import { flag, list, matching, object, oneOf, text, whole } from './parts.ts';

const id = matching('^#');
const only = (value: string) => oneOf(value);
const money = object({ amount: whole(), currency: matching('^[A-Z]{3}$') });
const variation = object({
  type: only('ITEM_VARIATION'),
  id,
  item_variation_data: object({
    item_id: id,
    name: { type: 'string', maxLength: 255 },
    'sku?': text(),
    pricing_type: oneOf('FIXED_PRICING', 'VARIABLE_PRICING'),
    'price_money?': money,
  }),
});
const diets = oneOf(
  ...['DAIRY_FREE', 'GLUTEN_FREE', 'HALAL', 'KOSHER', 'NUT_FREE', 'VEGAN', 'VEGETARIAN'],
);
const ingredients = oneOf(
  ...['CELERY', 'CRUSTACEANS', 'EGGS', 'FISH', 'GLUTEN', 'LUPIN', 'MILK', 'MOLLUSCS', 'MUSTARD'],
  ...['PEANUTS', 'SESAME', 'SOY', 'SULPHITES', 'TREE_NUTS'],
);
const standardOr = (names: Record<string, unknown>) => ({
  oneOf: [
    object({ type: only('STANDARD'), standard_name: names }),
    object({ type: only('CUSTOM'), custom_name: text() }),
  ],
});
const item = object({
  type: only('ITEM'),
  id,
  item_data: object({
    name: text(512),
    'description_html?': text(65_535),
    categories: list(object({ id }), 1),
    'modifier_list_info?': list(object({ modifier_list_id: id, enabled: flag, ordinal: whole() })),
    variations: list(variation, 1, 250),
    product_type: only('FOOD_AND_BEV'),
    'is_alcoholic?': flag,
    'food_and_beverage_details?': object({
      'calorie_count?': whole(),
      'dietary_preferences?': list(standardOr(diets), 1),
      'ingredients?': list(standardOr(ingredients), 1),
    }),
  }),
});
const category = object({
  type: only('CATEGORY'),
  id,
  category_data: object({
    name: text(255),
    category_type: oneOf('REGULAR_CATEGORY', 'MENU_CATEGORY', 'KITCHEN_CATEGORY'),
    is_top_level: flag,
    'parent_category?': object({ id, ordinal: whole() }),
    'availability_period_ids?': list(id, 1),
  }),
});
const modifiers = object({
  type: only('MODIFIER_LIST'),
  id,
  modifier_list_data: object({
    name: { type: 'string', maxLength: 255 },
    modifier_type: oneOf('LIST', 'TEXT'),
    min_selected_modifiers: whole(-1),
    max_selected_modifiers: whole(-1),
    modifiers: list(
      object({
        type: only('MODIFIER'),
        id,
        modifier_data: object({
          name: { type: 'string', maxLength: 255 },
          price_money: money,
          ordinal: whole(),
        }),
      }),
      1,
    ),
  }),
});
const time = matching('^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$');
const period = object({
  type: only('AVAILABILITY_PERIOD'),
  id,
  availability_period_data: object({
    start_local_time: time,
    end_local_time: time,
    day_of_week: oneOf('MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'),
  }),
});

/** The body of POST /v2/catalog/batch-upsert. */
export const squareSchema = object({
  idempotency_key: text(128),
  batches: list(
    object({ objects: list({ oneOf: [item, category, modifiers, period] }, 1, 1_000) }),
  ),
});
