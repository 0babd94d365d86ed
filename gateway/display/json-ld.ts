import type { Menu, OpeningHoursSpecification, Restaurant, WithContext } from 'schema-dts';
import {
  type DescribedDish,
  type DescribedSection,
  describedMenu,
  describeSection,
} from '../../db/exchange/schema-org.ts';
import { inOneGo } from '../../db/runtime/in-slices.ts';
import type { Dish } from '../../db/schema/dish.ts';
import type { SectionTree } from '../../db/schema/section.ts';
import type { Settings } from '../../db/schema/settings.ts';
import { firstPhoto, pageAddress } from './head.ts';
import type { MenuView } from './parts/menu-view.ts';
import { webAddress } from './parts/own-text.ts';

/** A dish as a reader of one language sees it. */
function describe(dish: Dish): DescribedDish {
  const { courses, modifier_groups, photo_url } = dish;
  const ofCourses = courses.map(({ label, options }) => ({
    name: label,
    options: options.map(({ label: name, surcharge, is_sold_out: isSoldOut }) => {
      return { name, price: surcharge, isSoldOut };
    }),
  }));
  const ofGroups = modifier_groups.map(({ name, options }) => ({
    name,
    options: options.map(({ label, price, is_sold_out: isSoldOut }) => {
      return { name: label, price, isSoldOut };
    }),
  }));
  return { ...dish, image: webAddress(photo_url), choices: [...ofCourses, ...ofGroups] };
}

const described = ({ name, items, children }: SectionTree): DescribedSection => ({
  name,
  dishes: items.map(describe),
  children: children.map(described),
});

const DAYS = [
  'https://schema.org/Monday',
  'https://schema.org/Tuesday',
  'https://schema.org/Wednesday',
  'https://schema.org/Thursday',
  'https://schema.org/Friday',
  'https://schema.org/Saturday',
  'https://schema.org/Sunday',
] as const;

/** A whole day ends a minute before midnight: the same time twice means closed. */
function openFrom(opens: string, until: string) {
  return { opens, closes: opens === until ? '23:59' : until };
}

/** The hours of a week, and closures: days whose hours begin and end at midnight. */
function openingHours({ opening_hours, closures }: Pick<Settings, 'opening_hours' | 'closures'>) {
  const type = '@type';
  const week = opening_hours.map(({ weekdays, time_start, time_end }) => ({
    [type]: 'OpeningHoursSpecification' as const,
    dayOfWeek: DAYS.filter((_, index) => weekdays === null || weekdays.includes(index + 1)),
    ...openFrom(time_start, time_end),
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

/** The hours of single days. */
function specialHours(hours: Settings['special_hours'] = []): OpeningHoursSpecification[] {
  return hours.map(({ date, time_start, time_end, text }) => ({
    '@type': 'OpeningHoursSpecification' as const,
    validFrom: date,
    validThrough: date,
    ...openFrom(time_start, time_end),
    ...(text && { description: text }),
  }));
}

/** The address, contacts, hours and pages elsewhere. */
function contactOf({ address, phone, email, business_name, vat_number, ...more }: Settings) {
  const hours = openingHours(more);
  const special = specialHours(more.special_hours);
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
    ...(special.length > 0 && { specialOpeningHoursSpecification: special }),
    ...(map && { hasMap: map }),
    ...(more.social_urls.length > 0 && { sameAs: more.social_urls }),
  };
}

/** The restaurant and its menu for search engines (schema.org). */
export function structuredData(view: MenuView, origin: string) {
  const { settings, locale, snapshot, tree } = view;
  const page = pageAddress(origin, locale);
  const menu: Menu = {
    ...describedMenu(page, locale, snapshot.generatedAt),
    hasMenuSection: tree.map((section) =>
      inOneGo(describeSection(described(section), settings.currency)),
    ),
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
