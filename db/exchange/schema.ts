import { groupBy } from '../runtime/group-by.ts';
import type { Translations } from '../schema/values/locale.ts';
import type { Row } from '../schema/values/row.ts';
import { SCHEMA_DIETS } from './allergen-crosswalk.ts';
import {
  type Choice,
  type Group,
  nameSizes,
  type OutFormat,
  type OutMenu,
  type SentDish,
  type SentSection,
} from './out-menu.ts';
import {
  type DescribedDish,
  type DescribedSection,
  describedMenu,
  describeSection,
} from './schema-org.ts';

// The menu as JSON-LD for a page of the restaurant's own. The display's page says the same.

export const schemaOut: OutFormat = {
  write,
  hasNoKeys: true,
  takesNoPrice: true,
  knowsSoldOut: true,
  nests: true,
  takesEmpty: true,
  carries: {
    items: [
      ...['description', 'variants', 'offers', 'courses', 'modifier_group_ids', 'labels', 'kcal'],
      ...['photo_id', 'photo_url'],
    ],
    categories: ['parent_id'],
    groups: ['options'],
    settings: ['name', 'currency', 'default_locale'],
  },
};

type Choices = DescribedDish['choices'];

/** Groups of options; those without a place for their allergens are named. */
function groupChoices(menu: OutMenu, groups: readonly Group[]): Choices {
  return groups.map((group) => {
    const { options, name } = group.row;
    const says = ({ allergens, external_id, sold_out_until: until }: Choice) =>
      allergens !== null || Boolean(external_id ?? until);
    if (options.some(says)) {
      menu.losses.lossy(group, 'options', 'noPlace');
    }
    return {
      name: menu.one(group, 'name', name),
      options: options.map(({ label, price, is_sold_out: isSoldOut }) => {
        return { name: menu.one(group, 'options', label), price, isSoldOut };
      }),
    };
  });
}

function courseChoices(menu: OutMenu, dish: SentDish): Choices {
  return dish.row.courses.map(({ label, options }) => ({
    name: menu.one(dish, 'courses', label),
    options: options.map(({ item_id, label: own, surcharge }) => ({
      name: menu.one(dish, 'courses', menu.dishNames.get(item_id) ?? own),
      price: surcharge,
      isSoldOut: false,
    })),
  }));
}

function offersOf(menu: OutMenu, dish: SentDish): DescribedDish['offers'] {
  return dish.row.offers.map((offer) => {
    // Schema.org has no word for days of the week of a price.
    if (offer.weekdays !== null) menu.losses.lossy(dish, 'offers', 'offerLeftOut');
    const label = menu.one(dish, 'offers', offer.label as Translations);
    return { ...offer, label } as DescribedDish['offers'][number];
  });
}

function describe(menu: OutMenu, dish: SentDish): DescribedDish {
  const { row, image } = dish;
  const { losses } = menu;
  if (row.courses.length > 0) losses.lossy(dish, 'courses', 'setMenuFlattened');
  if (row.labels.some((label) => SCHEMA_DIETS[label] === undefined)) {
    losses.lossy(dish, 'labels', 'noPlace');
  }
  nameSizes(menu, dish);
  if (row.price_on_request) losses.lossy(dish, 'price', 'priceOnRequest');
  else if (row.price === 0 && row.variants.length === 0) losses.lossy(dish, 'price', 'noPrice');
  if (row.sold_out_until !== null) losses.lossy(dish, 'sold_out_until', 'farDate');
  return {
    ...row,
    name: menu.one(dish, 'name', row.name),
    description: menu.one(dish, 'description', row.description),
    image: image ?? '',
    is_sold_out: row.sold_out_until !== null,
    variants: row.variants.map(({ label, price, is_sold_out }) => {
      return { label: menu.one(dish, 'variants', label), price, is_sold_out };
    }),
    offers: offersOf(menu, dish),
    choices: [...courseChoices(menu, dish), ...groupChoices(menu, dish.groups)],
  };
}

function* write(menu: OutMenu): Generator<void, Row> {
  const { settings, locale, currency, options } = menu;
  const byParent = groupBy(menu.sections, ({ path }) => path.at(-2));
  function* below(parent: SentSection | undefined): Generator<void, DescribedSection[]> {
    const sections: DescribedSection[] = [];
    for (const section of byParent.get(parent) ?? []) {
      const dishes: DescribedDish[] = [];
      for (const dish of section.dishes) {
        dishes.push(describe(menu, dish));
        yield;
      }
      const name = menu.one(section, 'name', section.row.name as Translations);
      sections.push({ name, dishes, children: yield* below(section) });
    }
    return sections;
  }
  const sections: unknown[] = [];
  for (const section of yield* below(undefined)) {
    sections.push(yield* describeSection(section, currency));
  }
  const page = `${options.origin}/?lang=${locale}`;
  return {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': `${options.origin}/#restaurant`,
    name: settings.name,
    url: `${options.origin}/`,
    hasMenu: {
      ...describedMenu(page, locale, options.at.toISOString()),
      hasMenuSection: sections,
    },
  };
}
