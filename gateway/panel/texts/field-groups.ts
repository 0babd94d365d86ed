import type { TextKey } from '../../../db/texts/catalogues.ts';

interface FieldGroup {
  title: TextKey;
  fields: string[];
  isFolded?: true;
  /** It has all that a new record needs, in one screen of a phone. */
  isFirst?: true;
}

/** @param names of its fields, with blanks between them */
const open = (title: TextKey, names: string): FieldGroup => ({ title, fields: names.split(' ') });
const folded = (title: TextKey, names: string): FieldGroup => ({
  ...open(title, names),
  isFolded: true,
});

/** How the fields of a form are put together, by resource; those that are not named come last. */
export const FIELD_GROUPS: Readonly<Record<string, readonly FieldGroup[]>> = {
  items: [
    {
      ...open('groups.items.name', 'name price category_id photo_id allergens traces'),
      isFirst: true,
    },
    folded('groups.items.description', 'description type_id price_unit price_on_request'),
    folded('groups.items.variants', 'variants'),
    folded('groups.items.modifier_group_ids', 'modifier_group_ids'),
    folded('groups.items.courses', 'courses'),
    folded('groups.items.offers', 'offers'),
    folded(
      'groups.items.sold_out_until',
      'sold_out_until sold_out_note is_active is_recommended visible_from visible_until',
    ),
    folded('groups.items.labels', 'allergen_detail labels additives kcal code'),
    folded(
      'groups.items.origins',
      'portion volume_ml abv_percent serves origins origin ingredients',
    ),
    folded('fields.dish.photo_url', 'photo_url photo_alt'),
    folded(
      'groups.items.winery_id',
      'winery_id vintage non_vintage grapes denomination taste pairing',
    ),
  ],
  categories: [
    open('groups.categories.name', 'name notes parent_id menu_type is_active show_subcategories'),
    folded(
      'groups.categories.weekdays',
      'visible_from visible_until hours time_visibility_enabled date_start date_end',
    ),
    folded('groups.categories.photo_id', 'photo_id'),
  ],
  photos: [open('groups.photos.alt', 'alt'), open('groups.photos.focus_x', 'focus_x focus_y')],
  types: [open('groups.types.name', 'name category_id is_active')],
  modifier_groups: [
    open('groups.modifier_groups.name', 'name min max'),
    open('groups.modifier_groups.options', 'options'),
  ],
  wineries: [open('groups.wineries.name', 'name region country website description')],
  settings: [
    open('groups.settings.name', 'name address phone email cuisine business_name vat_number'),
    open(
      'groups.settings.opening_hours',
      'opening_hours closures special_hours map_url social_urls',
    ),
    open(
      'groups.settings.supported_locales',
      'supported_locales default_locale fallback_locale currency timezone',
    ),
    open('groups.settings.cover_charge_text', 'cover_charge_text allergen_info recommended_label'),
    open(
      'groups.settings.country',
      'country region chain_size cover_charge service_charge_percent prices_exclude_tax',
    ),
    folded(
      'groups.settings.logo_url',
      'logo_photo_id cover_photo_id logo_url cover_image_url review_url',
    ),
  ],
  theme: [
    open(
      'groups.theme.background_color',
      'background_color text_color primary_color secondary_color accent_color dark_mode',
    ),
    open('groups.theme.layout_variant', 'layout_variant header_style border_radius'),
    open('groups.theme.font_family', 'font_family'),
    open('groups.theme.footer_text', 'footer_text'),
  ],
};
