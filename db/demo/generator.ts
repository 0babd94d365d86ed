import { composeSections, composeWines } from './generator/menu.ts';
import { type Random, seededRandom } from './generator/random.ts';
import {
  ALLERGEN_NOTICE,
  CITIES,
  COVER_CHARGE,
  FONTS,
  FOOTERS,
  HOUSE_KINDS,
  HOUSE_PLACES,
  LANGUAGE_SETS,
  PALETTES,
  RADII,
  RECOMMENDED,
  STREETS,
} from './generator/tenants.ts';
import type { DemoRestaurant, DemoSettings, DemoTheme } from './restaurant.ts';

/**
 * A plausible restaurant, always the same one for the same index: 20 to 56 dishes and 0 to 10 wines
 * in 4 to 8 sections, in Italian and up to four more languages. Its slug ends in the index and is
 * therefore unique. Throws a RangeError unless the index is an integer from 0.
 */
export function generateRestaurant(index: number): DemoRestaurant {
  if (!Number.isSafeInteger(index) || index < 0) {
    throw new RangeError(`A restaurant's index is an integer from 0, not ${index}.`);
  }
  const random = seededRandom(index);
  const languages = random.pick(LANGUAGE_SETS);
  const name = `${random.pick(HOUSE_KINDS)} ${random.pick(HOUSE_PLACES)}`;
  const slug = `${name.toLowerCase().replaceAll(' ', '-')}-${String(index).padStart(5, '0')}`;
  const wines = composeWines(random, languages);
  return {
    slug,
    timezone: 'Europe/Rome',
    settings: composeSettings(random, { index, name, slug, languages }),
    theme: composeTheme(random, languages[0]),
    wineries: wines.wineries,
    // The wines stand first so that the rule "wine sections come last" has something to move.
    sections: [...wines.sections, ...composeSections(random, languages)],
  };
}

interface Identity {
  index: number;
  name: string;
  slug: string;
  languages: (typeof LANGUAGE_SETS)[number];
}

function composeSettings(random: Random, { index, name, slug, languages }: Identity): DemoSettings {
  const [own] = languages;
  const site = `https://${slug}.example`;
  const city = random.pick(CITIES);
  return {
    name,
    logo_url: random.chance(0.8) ? `${site}/logo.svg` : null,
    cover_image_url: random.chance(0.6) ? `${site}/cover.jpg` : null,
    cover_charge_text: COVER_CHARGE[own],
    allergen_info: ALLERGEN_NOTICE[own],
    review_url: `${site}/reviews`,
    recommended_label: RECOMMENDED[own],
    business_name: `${name} S.r.l.`,
    vat_number: `IT9${String(index).padStart(10, '0')}`,
    address: `${random.pick(STREETS)} ${random.between(1, 120)}, ${city.name}`,
    phone: `+39 ${city.dialling} 000 ${String(index % 10_000).padStart(4, '0')}`,
    email: `info@${slug}.example`,
    default_locale: own,
    supported_locales: [...languages],
    is_active: true,
  };
}

function composeTheme(random: Random, own: Identity['languages'][0]): DemoTheme {
  return {
    ...random.pick(PALETTES),
    ...random.pick(FONTS),
    border_radius: random.pick(RADII),
    layout_variant: random.pick(['classic', 'grid', 'compact', 'slides'] as const),
    header_style: random.pick(['centered', 'left', 'banner', 'minimal'] as const),
    footer_text: random.pick(FOOTERS)[own],
  };
}
