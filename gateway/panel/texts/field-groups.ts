import type { TextKey } from '../../../db/texts/catalogues.ts';

/** How the fields of a form are put together, by resource; those that are not named come last. */
interface FieldGroup {
  title: TextKey;
  fields: string[];
  isFolded?: true;
  /** It has all that a new record needs, in one screen of a phone. */
  isFirst?: true;
}

export const FIELD_GROUPS: Record<string, FieldGroup[]> = {
  items: [
    {
      title: 'groups.items.name',
      fields: ['name', 'price', 'category_id', 'photo_id', 'allergens', 'traces'],
      isFirst: true,
    },
    {
      title: 'groups.items.description',
      fields: ['description', 'type_id', 'price_unit', 'price_on_request'],
      isFolded: true,
    },
    {
      title: 'groups.items.variants',
      fields: ['variants'],
      isFolded: true,
    },
    {
      title: 'groups.items.modifier_group_ids',
      fields: ['modifier_group_ids'],
      isFolded: true,
    },
    { title: 'groups.items.courses', fields: ['courses'], isFolded: true },
    { title: 'groups.items.offers', fields: ['offers'], isFolded: true },
    {
      title: 'groups.items.sold_out_until',
      fields: [
        'sold_out_until',
        'sold_out_note',
        'is_active',
        'is_recommended',
        'visible_from',
        'visible_until',
      ],
      isFolded: true,
    },
    {
      title: 'groups.items.labels',
      fields: ['allergen_detail', 'labels', 'additives', 'kcal', 'code'],
      isFolded: true,
    },
    {
      title: 'groups.items.origins',
      fields: [
        ...['portion', 'volume_ml', 'abv_percent', 'serves'],
        ...['origins', 'origin', 'ingredients'],
      ],
      isFolded: true,
    },
    { title: 'fields.dish.photo_url', fields: ['photo_url', 'photo_alt'], isFolded: true },
    {
      title: 'groups.items.winery_id',
      fields: [
        ...['winery_id', 'vintage', 'non_vintage', 'grapes', 'denomination'],
        ...['taste', 'pairing'],
      ],
      isFolded: true,
    },
  ],
  categories: [
    {
      title: 'groups.categories.name',
      fields: ['name', 'notes', 'parent_id', 'menu_type', 'is_active', 'show_subcategories'],
    },
    {
      title: 'groups.categories.weekdays',
      fields: [
        'visible_from',
        'visible_until',
        'hours',
        'time_visibility_enabled',
        'date_start',
        'date_end',
      ],
      isFolded: true,
    },
    { title: 'groups.categories.photo_id', fields: ['photo_id'], isFolded: true },
  ],
  photos: [
    { title: 'groups.photos.alt', fields: ['alt'] },
    { title: 'groups.photos.focus_x', fields: ['focus_x', 'focus_y'] },
  ],
  types: [
    {
      title: 'groups.types.name',
      fields: ['name', 'category_id', 'is_active'],
    },
  ],
  modifier_groups: [
    { title: 'groups.modifier_groups.name', fields: ['name', 'min', 'max'] },
    { title: 'groups.modifier_groups.options', fields: ['options'] },
  ],
  wineries: [
    {
      title: 'groups.wineries.name',
      fields: ['name', 'region', 'country', 'website', 'description'],
    },
  ],
  settings: [
    {
      title: 'groups.settings.name',
      fields: ['name', 'address', 'phone', 'email', 'cuisine', 'business_name', 'vat_number'],
    },
    {
      title: 'groups.settings.opening_hours',
      fields: ['opening_hours', 'closures', 'special_hours', 'map_url', 'social_urls'],
    },
    {
      title: 'groups.settings.supported_locales',
      fields: ['supported_locales', 'default_locale', 'fallback_locale', 'currency', 'timezone'],
    },
    {
      title: 'groups.settings.cover_charge_text',
      fields: ['cover_charge_text', 'allergen_info', 'recommended_label'],
    },
    {
      title: 'groups.settings.country',
      fields: [
        ...['country', 'region', 'chain_size'],
        ...['cover_charge', 'service_charge_percent', 'prices_exclude_tax'],
      ],
    },
    {
      title: 'groups.settings.logo_url',
      fields: ['logo_photo_id', 'cover_photo_id', 'logo_url', 'cover_image_url', 'review_url'],
      isFolded: true,
    },
  ],
  theme: [
    {
      title: 'groups.theme.background_color',
      fields: [
        'background_color',
        'text_color',
        'primary_color',
        'secondary_color',
        'accent_color',
        'dark_mode',
      ],
    },
    {
      title: 'groups.theme.layout_variant',
      fields: ['layout_variant', 'header_style', 'border_radius'],
    },
    {
      title: 'groups.theme.font_family',
      fields: ['font_family'],
    },
    {
      title: 'groups.theme.footer_text',
      fields: ['footer_text'],
    },
  ],
};
