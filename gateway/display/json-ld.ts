import type {
  Menu,
  MenuItem,
  MenuSection,
  Offer,
  OpeningHoursSpecification,
  Restaurant,
  RestrictedDiet,
  WithContext,
} from 'schema-dts';
import type { Dish } from '../../db/schema/dish.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import type { Settings } from '../../db/schema/settings.ts';
import { currencyDecimals } from '../../db/schema/values/currency.ts';
import { firstPhoto, pageAddress } from './head.ts';
import type { MenuView } from './parts/menu-view.ts';
import { webAddress } from './parts/own-text.ts';

const DIETS: Partial<Record<string, RestrictedDiet>> = {
  vegetarian: 'https://schema.org/VegetarianDiet',
  vegan: 'https://schema.org/VeganDiet',
  gluten_free: 'https://schema.org/GlutenFreeDiet',
  lactose_free: 'https://schema.org/LowLactoseDiet',
  halal: 'https://schema.org/HalalDiet',
  kosher: 'https://schema.org/KosherDiet',
};

const priced = (price: number, currency: string) => ({
  price: price.toFixed(currencyDecimals(currency)),
  priceCurrency: currency,
});

function offersOf(dish: Dish, currency: string): Offer[] {
  if (dish.price_on_request) return [];
  const sizes = dish.variants.map(({ label, price }) => ({ name: label, price }));
  const prices = sizes.length > 0 ? sizes : dish.price > 0 ? [{ price: dish.price }] : [];
  return prices.map(({ price, ...size }) => ({
    '@type': 'Offer',
    ...size,
    ...priced(price, currency),
    ...(dish.is_sold_out && { availability: 'https://schema.org/SoldOut' as const }),
  }));
}

/** A price that holds at certain times, with those that schema.org has words for. */
function timedOffer(one: Dish['offers'][number], currency: string): Offer {
  const { label, price, date_start, date_end, time_start, time_end } = one;
  return {
    '@type': 'Offer',
    ...(label && { name: label }),
    ...priced(price, currency),
    ...(date_start && { validFrom: date_start }),
    ...(date_end && { validThrough: date_end }),
    ...(time_start && time_end && { availabilityStarts: time_start, availabilityEnds: time_end }),
  };
}

/** A choice of a course or a group; it costs what it adds to the price of the dish. */
function choice(
  name: string,
  { price, isSoldOut }: { price: number; isSoldOut: boolean },
  currency: string,
): MenuItem {
  const offer = {
    ...(price > 0 && priced(price, currency)),
    ...(isSoldOut && { availability: 'https://schema.org/SoldOut' as const }),
  };
  const hasOffer = Object.keys(offer).length > 0;
  return { '@type': 'MenuItem', name, ...(hasOffer && { offers: { '@type': 'Offer', ...offer } }) };
}

/** The courses of a set menu, then the groups of options that come with a dish. */
function addOns({ courses, modifier_groups }: Dish, currency: string): MenuSection[] {
  const ofCourses = courses.map(({ label, options }) => ({
    name: label,
    items: options.map(({ label: name, surcharge, is_sold_out: isSoldOut }) =>
      choice(name, { price: surcharge, isSoldOut }, currency),
    ),
  }));
  const ofGroups = modifier_groups.map(({ name, options }) => ({
    name,
    items: options.map(({ label, price, is_sold_out: isSoldOut }) =>
      choice(label, { price, isSoldOut }, currency),
    ),
  }));
  return [...ofCourses, ...ofGroups].map(({ name, items }) => ({
    '@type': 'MenuSection',
    ...(name && { name }),
    hasMenuItem: items,
  }));
}

function menuItem(dish: Dish, currency: string): MenuItem {
  const timed = dish.offers.map((one) => timedOffer(one, currency));
  const offers = [...offersOf(dish, currency), ...timed];
  const [offer, ...others] = offers;
  const sections = addOns(dish, currency);
  const diets = dish.labels.flatMap((label) => DIETS[label] ?? []);
  const image = webAddress(dish.photo_url);
  return {
    '@type': 'MenuItem',
    name: dish.name,
    ...(dish.description && { description: dish.description }),
    ...(image && { image }),
    ...(dish.kcal !== null && {
      nutrition: { '@type': 'NutritionInformation' as const, calories: `${dish.kcal} kcal` },
    }),
    ...(diets.length > 0 && { suitableForDiet: diets }),
    ...(sections.length > 0 && { menuAddOn: sections }),
    ...(offer && { offers: others.length === 0 ? offer : offers }),
  };
}

function menuSection({ name, items, children }: SectionTree, currency: string): MenuSection {
  return {
    '@type': 'MenuSection',
    name,
    ...(items.length > 0 && { hasMenuItem: items.map((dish) => menuItem(dish, currency)) }),
    ...(children.length > 0 && {
      hasMenuSection: children.map((child) => menuSection(child, currency)),
    }),
  };
}

const DAYS = [
  'https://schema.org/Monday',
  'https://schema.org/Tuesday',
  'https://schema.org/Wednesday',
  'https://schema.org/Thursday',
  'https://schema.org/Friday',
  'https://schema.org/Saturday',
  'https://schema.org/Sunday',
] as const;

/** The hours of a week, and closures: days whose hours begin and end at midnight. */
function openingHours({
  opening_hours,
  closures,
}: Pick<Settings, 'opening_hours' | 'closures'>): OpeningHoursSpecification[] {
  const type = '@type';
  const week = opening_hours.map(({ weekdays, time_start, time_end }) => ({
    [type]: 'OpeningHoursSpecification' as const,
    dayOfWeek: DAYS.filter((_, index) => weekdays === null || weekdays.includes(index + 1)),
    opens: time_start,
    // A whole day ends a minute before midnight: the same time twice means closed.
    closes: time_start === time_end ? '23:59' : time_end,
  }));
  const closed = closures.map(({ date_start, date_end, text }) => ({
    [type]: 'OpeningHoursSpecification' as const,
    validFrom: date_start,
    validThrough: date_end ?? date_start,
    opens: '00:00',
    closes: '00:00',
    ...(text && { description: text }),
  }));
  return [...week, ...closed];
}

/** The address, contacts, hours and pages elsewhere. */
function contactOf({ address, phone, email, business_name, vat_number, ...more }: Settings) {
  const hours = openingHours(more);
  const map = webAddress(more.map_url);
  return {
    ...(address && {
      address: {
        '@type': 'PostalAddress' as const,
        streetAddress: address,
        ...(more.country && { addressCountry: more.country }),
      },
    }),
    ...(phone && { telephone: phone }),
    ...(email && { email }),
    ...(business_name && { legalName: business_name }),
    ...(vat_number && { vatID: vat_number }),
    ...(more.cuisine && { servesCuisine: more.cuisine }),
    ...(hours.length > 0 && { openingHoursSpecification: hours }),
    ...(map && { hasMap: map }),
    ...(more.social_urls.length > 0 && { sameAs: more.social_urls }),
  };
}

/** The restaurant and its menu for search engines (schema.org). */
export function structuredData(view: MenuView, origin: string) {
  const { settings, locale, snapshot, tree } = view;
  const page = pageAddress(origin, locale);
  const menu: Menu = {
    '@type': 'Menu',
    '@id': `${page}#menu`,
    url: page,
    inLanguage: locale,
    dateModified: snapshot.generatedAt,
    hasMenuSection: tree.map((section) => menuSection(section, settings.currency)),
  };
  const logo = webAddress(settings.logo_url);
  const image = webAddress(settings.cover_image_url) || firstPhoto(view) || logo;
  const restaurant: WithContext<Restaurant> = {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': `${origin}/#restaurant`,
    name: settings.name,
    url: `${origin}/`,
    ...contactOf(settings),
    ...(logo && { logo }),
    ...(image && { image }),
    hasMenu: menu,
  };
  return restaurant;
}
