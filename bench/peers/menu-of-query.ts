type Texts = Record<string, string>;
type Stored = Record<string, unknown> & { id: number; is_active: boolean };
type Section = Stored & { parent_id: number | null; menu_type: string; name_translations: Texts };
type Type = Stored & { category_id: number; name_translations: Texts };
type Winery = Stored & { description_translations: Texts };
type Dish = Stored & {
  category_id: number;
  winery_id: number | null;
  name_translations: Texts;
  description_translations: Texts;
};

/** A tenant's menu in every language; lists are in display order. */
export interface StoredMenu {
  settings: Record<string, unknown> & { default_locale: string };
  theme: Record<string, unknown>;
  sections: Section[];
  types: Type[];
  wineries: Winery[];
  dishes: Dish[];
}

const LOCALES = ['it', 'en', 'fr', 'de', 'es'];

/** Everything that `GET /menu` shows, in one round trip and with one plan. */
export function menuQuery(slug: string): { text: string; values: string[] } {
  const text = `
    select
      (select row_to_json(x) from (
        select t.id, s.name, t.slug, s.logo_url, s.cover_image_url, s.cover_charge_text,
          s.allergen_info, s.review_url, s.recommended_label, s.business_name, s.vat_number,
          s.address, s.phone, s.email, s.default_locale, s.supported_locales, s.is_active) x
      ) as settings,
      (select row_to_json(x) from (
        select t.id, h.primary_color, h.secondary_color, h.accent_color, h.background_color,
          h.text_color, h.font_family, h.font_url, h.border_radius, h.layout_variant,
          h.header_style, h.footer_text) x
      ) as theme,
      (select coalesce(json_agg(x order by x.display_order, x.id), '[]') from (
        select id, parent_id, menu_type, name as name_translations, notes, display_order,
          is_active, show_subcategories, time_visibility_enabled, time_start, time_end
        from sections where tenant_id = t.id and deleted_at is null and is_active) x
      ) as sections,
      (select coalesce(json_agg(x order by x.display_order, x.id), '[]') from (
        select id, category_id, name as name_translations, display_order, is_active
        from types where tenant_id = t.id and deleted_at is null and is_active) x
      ) as types,
      (select coalesce(json_agg(x), '[]') from (
        select id, name, region, country, website, description as description_translations
        from wineries where tenant_id = t.id and deleted_at is null) x
      ) as wineries,
      (select coalesce(json_agg(x order by x.display_order, x.id), '[]') from (
        select id, category_id, type_id, winery_id, name as name_translations,
          description as description_translations, price, allergens, is_active,
          is_recommended, display_order
        from dishes where tenant_id = t.id and deleted_at is null and is_active) x
      ) as dishes
    from tenants t
    join settings s on s.tenant_id = t.id
    join themes h on h.tenant_id = t.id
    where t.slug = $1`;
  return { text, values: [slug] };
}

function ordered(texts: Texts): Texts {
  return Object.fromEntries(LOCALES.flatMap((code) => (texts[code] ? [[code, texts[code]]] : [])));
}

/** Groups in one pass; filtering all dishes for each section would be unfairly slow. */
function bySection<T extends { category_id: number }>(records: T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const record of records) {
    const group = groups.get(record.category_id);
    if (group) group.push(record);
    else groups.set(record.category_id, [record]);
  }
  return groups;
}

/** The body of `GET /menu` in the restaurant's own language. */
export function viewMenu(menu: StoredMenu): object {
  const { settings, theme } = menu;
  const locale = settings.default_locale;
  const text = (texts: Texts) =>
    texts[locale] || texts.it || LOCALES.map((code) => texts[code]).find(Boolean) || '';
  const named = <R extends { name_translations: Texts }>(record: R) => {
    const { name_translations } = record;
    return { name: text(name_translations), name_translations: ordered(name_translations) };
  };
  const described = ({ description_translations: texts }: { description_translations: Texts }) => ({
    description: text(texts),
    description_translations: ordered(texts),
  });
  const wineries = new Map(menu.wineries.map((one) => [one.id, { ...one, ...described(one) }]));
  const dishes = bySection(menu.dishes);
  const types = bySection(menu.types);
  const viewSection = (section: Section) => ({
    ...section,
    ...named(section),
    items: (dishes.get(section.id) ?? []).map((dish) => ({
      ...dish,
      ...named(dish),
      ...described(dish),
      winery: dish.winery_id === null ? null : (wineries.get(dish.winery_id) ?? null),
    })),
    types: (types.get(section.id) ?? []).map((type) => ({ ...type, ...named(type) })),
  });
  const below = (parentId: number | null): Section[] =>
    menu.sections
      .filter((section) => section.parent_id === parentId)
      .flatMap((section) => [section, ...below(section.id)]);
  const visible = below(null);
  const sections = [
    ...visible.filter((section) => section.menu_type !== 'wine'),
    ...visible.filter((section) => section.menu_type === 'wine'),
  ].map(viewSection);
  const meta = { generated_at: new Date().toISOString(), locale };
  return { success: true, data: { settings, theme, sections }, meta };
}
