import type { AllergenKey } from '../../schema/allergens.ts';
import type { Translations } from '../../schema/locale.ts';
import type { Settings } from '../../schema/settings.ts';
import type { Theme } from '../../schema/theme.ts';

/** A whole restaurant as one nested document; array order is display order. */
export interface DemoRestaurant {
  slug: string;
  /** An IANA name such as `Europe/Rome`. */
  timezone: string;
  settings: Omit<Settings, 'id' | 'slug' | 'currency' | `${string}_translations`>;
  theme: Omit<Theme, 'id' | `${string}_translations`>;
  wineries: DemoWinery[];
  sections: DemoSection[];
}

export interface DemoWinery {
  name: string;
  region: string;
  country: string;
  website: string | null;
  description: Translations;
}

export interface DemoSection {
  name: Translations;
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
  name: Translations;
  /** True when absent. */
  is_active?: boolean;
}

export interface DemoDish {
  name: Translations;
  description: Translations;
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

/** These sections and all that stand below them. */
export function everySection(sections: readonly DemoSection[]): DemoSection[] {
  return sections.flatMap((section) => [section, ...everySection(section.children)]);
}
