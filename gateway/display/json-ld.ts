import type { Menu, MenuItem, MenuSection, Restaurant, WithContext } from 'schema-dts';
import type { Dish } from '../../db/schema/dish.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import type { MenuView } from './menu-view.ts';
import { webAddress } from './parts/own-text.ts';

const CURRENCY = 'EUR';

function menuItem(dish: Dish): MenuItem {
  return {
    '@type': 'MenuItem',
    name: dish.name,
    ...(dish.description && { description: dish.description }),
    offers: { '@type': 'Offer', price: dish.price.toFixed(2), priceCurrency: CURRENCY },
  };
}

function menuSection({ name, items, children }: SectionTree): MenuSection {
  return {
    '@type': 'MenuSection',
    name,
    ...(items.length > 0 && { hasMenuItem: items.map(menuItem) }),
    ...(children.length > 0 && { hasMenuSection: children.map(menuSection) }),
  };
}

/**
 * The restaurant and its menu for search engines (schema.org).
 *
 * @param page absolute address of the page in its language
 */
export function structuredData(view: MenuView, origin: string, page: string) {
  const { settings, locale, snapshot, tree } = view;
  const menu: Menu = {
    '@type': 'Menu',
    '@id': `${page}#menu`,
    url: page,
    inLanguage: locale,
    dateModified: snapshot.generatedAt,
    hasMenuSection: tree.map(menuSection),
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
