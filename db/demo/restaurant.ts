import type { AllergenKey } from '../records/allergen.ts';
import type { Locale } from '../records/locale.ts';

/** A text in some of the five languages; dish, section and type names always have Italian. */
export type Texts = Partial<Record<Locale, string>>;

/** A whole restaurant as one nested document; array order is display order. */
export interface DemoRestaurant {
  slug: string;
  /** An IANA name such as `Europe/Rome`. */
  timezone: string;
  settings: DemoSettings;
  theme: DemoTheme;
  wineries: DemoWinery[];
  sections: DemoSection[];
}

/** The specification's Settings, without the identifiers the database gives. */
export interface DemoSettings {
  name: string;
  logo_url: string | null;
  cover_image_url: string | null;
  cover_charge_text: string;
  allergen_info: string;
  review_url: string;
  recommended_label: string;
  business_name: string;
  vat_number: string;
  address: string;
  phone: string;
  email: string;
  default_locale: Locale;
  supported_locales: Locale[];
  is_active: boolean;
}

export type LayoutVariant = 'classic' | 'grid' | 'compact' | 'slides';
export type HeaderStyle = 'centered' | 'left' | 'banner' | 'minimal';

/** The specification's Theme; colours are `#RRGGBB`, `border_radius` is a CSS length. */
export interface DemoTheme {
  primary_color: string;
  secondary_color: string;
  accent_color: string;
  background_color: string;
  text_color: string;
  font_family: string;
  font_url: string;
  border_radius: string;
  layout_variant: LayoutVariant;
  header_style: HeaderStyle;
  footer_text: string;
}

export interface DemoWinery {
  name: string;
  region: string;
  country: string;
  website: string | null;
  description: Texts;
}

export interface DemoSection {
  name: Texts;
  menu_type: 'standard' | 'wine';
  notes: string;
  /** True when absent. */
  is_active?: boolean;
  /** False when absent. */
  show_subcategories?: boolean;
  /** `HH:MM` in the restaurant's time zone; the section is always visible when absent. */
  time_visibility?: { start: string; end: string };
  types: DemoType[];
  dishes: DemoDish[];
  children: DemoSection[];
}

export interface DemoType {
  name: Texts;
  /** True when absent. */
  is_active?: boolean;
}

export interface DemoDish {
  name: Texts;
  description: Texts;
  /** In euro. */
  price: number;
  allergens: AllergenKey[];
  /** The Italian name of a type of the same section. */
  type?: string;
  /** The name of one of the restaurant's wineries. */
  winery?: string;
  /** False when absent. */
  is_recommended?: boolean;
  /** True when absent. */
  is_active?: boolean;
}
