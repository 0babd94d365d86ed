import type {
  Menu,
  MenuItem,
  MenuSection,
  Offer,
  Restaurant,
  RestrictedDiet,
  WithContext,
} from 'schema-dts';
import type { Dish } from '../../db/schema/dish.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import { addressOf } from './head.ts';
import type { MenuView } from './menu-view.ts';
import { webAddress } from './parts/own-text.ts';

const DIETS: Partial<Record<string, RestrictedDiet>> = {
  vegetarian: 'https://schema.org/VegetarianDiet',
  vegan: 'https://schema.org/VeganDiet',
  gluten_free: 'https://schema.org/GlutenFreeDiet',
  lactose_free: 'https://schema.org/LowLactoseDiet',
  halal: 'https://schema.org/HalalDiet',
  kosher: 'https://schema.org/KosherDiet',
};

function offersOf(dish: Dish, currency: string): Offer[] {
  if (dish.price_on_request) return [];
  const sizes = dish.variants.map(({ label, price }) => ({ name: label, price }));
  const prices = sizes.length > 0 ? sizes : dish.price > 0 ? [{ price: dish.price }] : [];
  return prices.map(({ price, ...size }) => ({
    '@type': 'Offer',
    ...size,
    price: price.toFixed(2),
    priceCurrency: currency,
    ...(dish.is_sold_out && { availability: 'https://schema.org/SoldOut' as const }),
  }));
}

function menuItem(dish: Dish, currency: string): MenuItem {
  const offers = offersOf(dish, currency);
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
    ...(offers.length > 0 && { offers: offers.length === 1 ? (offers[0] as Offer) : offers }),
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

/** The restaurant and its menu for search engines (schema.org). */
export function structuredData(view: MenuView, origin: string) {
  const { settings, locale, snapshot, tree } = view;
  const page = addressOf(origin, locale);
  const menu: Menu = {
    '@type': 'Menu',
    '@id': `${page}#menu`,
    url: page,
    inLanguage: locale,
    dateModified: snapshot.generatedAt,
    hasMenuSection: tree.map((section) => menuSection(section, settings.currency)),
  };
  const logo = webAddress(settings.logo_url);
  const image = webAddress(settings.cover_image_url);
  const restaurant: WithContext<Restaurant> = {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': `${origin}/#restaurant`,
    name: settings.name,
    url: `${origin}/`,
    ...(settings.address && { address: settings.address }),
    ...(settings.phone && { telephone: settings.phone }),
    ...(settings.email && { email: settings.email }),
    ...(settings.business_name && { legalName: settings.business_name }),
    ...(settings.vat_number && { vatID: settings.vat_number }),
    ...(logo && { logo }),
    ...(image && { image }),
    hasMenu: menu,
  };
  return restaurant;
}
