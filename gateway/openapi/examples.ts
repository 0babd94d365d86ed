import type { Resource } from '../../db/schema/resource.ts';

// What an imaginary trattoria sends and gets.

const meta = { generated_at: '2026-01-15T18:30:00+00:00' };
const paging = { total: 1, page: 1, per_page: 50, last_page: 1 };
const times = {
  created_at: '2026-01-15T18:30:00.000Z',
  updated_at: '2026-01-15T18:30:00.000Z',
  deleted_at: null,
};

const winery = {
  id: 3,
  name: 'Zidarich',
  region: 'Carso',
  country: 'Italia',
  website: 'https://zidarich.example',
  description: 'Vini del Carso.',
  description_translations: { it: 'Vini del Carso.', en: 'Wines of the Karst.' },
};
const dish = {
  id: 7,
  category_id: 2,
  type_id: null,
  winery_id: null,
  name: 'Gricia',
  name_translations: { it: 'Gricia', en: 'Gricia' },
  description: 'Guanciale, pecorino, pepe.',
  description_translations: { it: 'Guanciale, pecorino, pepe.' },
  price: 11.5,
  allergens: ['cereali_glutine', 'latte'],
  is_active: true,
  is_recommended: true,
  display_order: 0,
  winery: null,
};
const type = {
  id: 4,
  category_id: 2,
  name: 'Pasta fresca',
  name_translations: { it: 'Pasta fresca' },
  display_order: 0,
  is_active: true,
};
const category = {
  id: 2,
  parent_id: null,
  menu_type: 'standard',
  name: 'Primi',
  name_translations: { it: 'Primi', en: 'First courses' },
  notes: '',
  display_order: 1,
  is_active: true,
  show_subcategories: false,
  time_visibility_enabled: true,
  time_start: '12:00',
  time_end: '14:30',
};
const settings = {
  id: 1,
  name: 'Trattoria da Ada',
  slug: 'trattoria',
  logo_url: 'https://trattoria.example/logo.svg',
  cover_image_url: null,
  cover_charge_text: 'Coperto 2 €',
  allergen_info: 'Chiedete al personale.',
  review_url: 'https://trattoria.example/recensioni',
  recommended_label: 'Consigliato',
  business_name: 'Ada srl',
  vat_number: 'IT00000000000',
  address: 'Via Roma 1, Trieste',
  phone: '+39 040 000000',
  email: 'ada@trattoria.example',
  default_locale: 'it',
  supported_locales: ['it', 'en', 'de'],
  is_active: true,
};
const theme = {
  id: 1,
  primary_color: '#7A1F2B',
  secondary_color: '#F3E9DC',
  accent_color: '#C8963E',
  background_color: '#FFFDF9',
  text_color: '#2B2118',
  font_family: 'Georgia, serif',
  font_url: '/fonts/georgia.css',
  border_radius: '8px',
  layout_variant: 'classic',
  header_style: 'centered',
  footer_text: 'Grazie e a presto!',
};
const listed = { ...category, items: [dish], types: [type] };
const tree = { ...listed, children: [] };

function success(data: unknown, more: object = {}) {
  return { success: true, data, meta: { ...meta, ...more } };
}

/** Answers of the public API, by their schemas. */
export const publicExamples = {
  MenuAnswer: success({ settings, theme, sections: [listed] }, { locale: 'it' }),
  RestaurantAnswer: success(settings),
  ThemeAnswer: success(theme),
  CategoriesAnswer: success([tree]),
  CategoryAnswer: success(tree),
  ItemsAnswer: success([dish], { locale: 'it', ...paging }),
  ItemAnswer: success(dish),
  AllergensAnswer: success([{ key: 'latte', name: 'Latte' }]),
};

const records: Record<Resource, object> = {
  categories: { ...category, ...times },
  items: { ...dish, ...times },
  types: { ...type, ...times },
  wineries: { ...winery, ...times },
  settings: { ...settings, timezone: 'Europe/Rome', updated_at: times.updated_at },
  theme: { ...theme, updated_at: times.updated_at },
};

/** Answers about a record of each resource. */
export function recordExamples(resource: Resource) {
  const data = records[resource];
  return {
    answer: success(data),
    list: success([data], paging),
    outdated: { success: false, message: 'Precondition Failed', data },
  };
}

/** Bodies that create a record of each resource, or change one. */
export const bodyExamples: Record<Resource, object> = {
  categories: { name: { it: 'Primi', en: 'First courses' }, display_order: 1 },
  items: {
    category_id: 2,
    name: { it: 'Gricia', en: 'Gricia' },
    price: 11.5,
    allergens: ['cereali_glutine', 'latte'],
  },
  types: { category_id: 2, name: { it: 'Pasta fresca' } },
  wineries: { name: 'Zidarich', region: 'Carso', description: { it: 'Vini del Carso.' } },
  settings: { phone: '+39 040 000000', supported_locales: ['it', 'en', 'de'] },
  theme: { primary_color: '#7A1F2B', layout_variant: 'grid' },
};

export const JOB_ID = '019b8e3c-5a3e-7c1a-9f00-2f6d1c7e4b11';
export const acceptedExample = success({ id: JOB_ID, state: 'waiting' });

export const eventsExample = {
  events: [
    { type: 'menu_view', locale: 'it', visitor_id: 'tavolo 7' },
    { type: 'item_view', item_id: 7, id: 'e1f0c2' },
  ],
};
export const eventsAcceptedExample = success({ accepted: 2 });
