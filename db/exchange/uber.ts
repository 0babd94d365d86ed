import type { Locale, Translations } from '../schema/values/locale.ts';
import type { Row } from '../schema/values/row.ts';
import { UBER_ALLERGENS, UBER_DIETS } from './allergen-crosswalk.ts';
import { DAY_END, DAYS, type DaySpan, endOf, timeOf, type Week, weekOf } from './day-spans.ts';
import { createFlatGroups, type FlatGroup, leastPrice } from './flat-groups.ts';
import { menusByHours } from './menus-by-hours.ts';
import {
  hundredthsOf,
  joinedNames,
  namedSettings,
  nameMissingVat,
  type OutFormat,
  type OutMenu,
  type SentDish,
  saysAlcohol,
  timedSection,
  vatOf,
} from './out-menu.ts';
import type { Reported } from './report.ts';
import { englishAdditive } from './tag-names.ts';

// The Menu API of Uber Eats: four flat lists that refer to each other by our ids.

/** Numbers of nutrition are sent in steps of a hundred-thousandth. */
const E5 = 100_000;
/** The shortest span of a service, in minutes. */
const SHORTEST = 60;
/** Dishes that are sold out indefinitely come back in 2100, in Unix seconds. */
export const FAR = 4_102_444_800;

export const uberOut: OutFormat = {
  write,
  knowsSoldOut: true,
  notInIds: /[/;]/,
  carries: {
    items: [
      ...['description', 'variants', 'courses', 'modifier_group_ids', 'allergens', 'labels'],
      ...['additives', 'kcal', 'ingredients', 'abv_percent', 'photo_id', 'photo_url'],
    ],
    categories: ['hours', 'notes'],
    groups: ['min', 'max', 'options'],
    settings: ['name', 'opening_hours', 'prices_exclude_tax', 'default_locale'],
  },
};

/** A language with a country, as Uber names texts: `it_it`. */
function uberLanguage(locale: Locale, country: unknown): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  // The region alone tells the two scripts of Chinese.
  const place = language === 'zh' ? region : country || region;
  return `${language}_${String(place || language)}`.toLowerCase();
}

/** The means of writing a menu. */
interface Writing {
  menu: OutMenu;
  text(record: Reported, field: string, texts: Translations | undefined, max?: number): Row;
}

/** Uber has hundredths of any currency, yen included. */
function priceOf({ menu }: Writing, record: Reported, amount: number) {
  return { price: hundredthsOf(menu, record, amount) };
}

function dietsOf({ menu }: Writing, dish: SentDish): string[] {
  const diets = dish.row.labels.flatMap((label) => UBER_DIETS[label] ?? []);
  if (diets.length < dish.row.labels.length) menu.losses.lossy(dish, 'labels', 'noPlace');
  return diets;
}

function nutritionOf({ menu }: Writing, dish: SentDish): Row {
  const { allergens, kcal } = dish.row;
  if (allergens?.length === 0) menu.losses.lossy(dish, 'allergens', 'noneLeftOut');
  const energy = (kcal ?? 0) * E5;
  const interval = { energy_interval: { lower: energy, upper: energy } };
  return {
    ...(kcal !== null && { calories: { ...interval, display_type: 'single_item' } }),
    ...(allergens?.length && { allergens: allergens.map((key) => UBER_ALLERGENS[key]) }),
  };
}

function classificationsOf(writing: Writing, dish: SentDish): Row {
  const { row, section } = dish;
  const { losses } = writing.menu;
  const labels = dietsOf(writing, dish);
  const isAlcoholic = saysAlcohol(row);
  if (!isAlcoholic && section.row.menu_type === 'wine' && row.abv_percent === undefined) {
    losses.lossy(dish, 'abv_percent', 'alcoholUnknown');
  }
  const text = writing.menu.one(dish, 'ingredients', row.ingredients);
  return {
    ...(labels.length > 0 && { dietary_label_info: { labels } }),
    ...(isAlcoholic && { alcoholic_items: 1 }),
    ...(text && { ingredients: [text] }),
    ...(row.additives.length > 0 && { additives: row.additives.map(englishAdditive) }),
  };
}

function taxOf({ menu }: Writing, dish: SentDish): Row {
  const rate = vatOf(menu, dish);
  if (rate === null) return {};
  return menu.settings.prices_exclude_tax ? { tax_rate: rate } : { vat_rate_percentage: rate };
}

function suspensionOf({ menu }: Writing, dish: SentDish): Row {
  const { sold_out_until: until } = dish.row;
  if (until === null) return {};
  if (until === 'indefinitely') menu.losses.lossy(dish, 'sold_out_until', 'farDate');
  const at = until === 'indefinitely' ? FAR : Math.floor(Date.parse(until) / 1_000);
  return { suspension_info: { suspension: { suspend_until: at } } };
}

/** A part that says something, under its name. */
const some = (name: string, value: Row): Row =>
  Object.keys(value).length > 0 ? { [name]: value } : {};

function itemOf(writing: Writing, dish: SentDish, groups: readonly FlatGroup[]): Row {
  const { row } = dish;
  const description = row.description;
  return {
    id: dish.key,
    title: writing.text(dish, 'name', row.name),
    ...(Object.keys(description).length > 0 && {
      description: writing.text(dish, 'description', description),
    }),
    ...(dish.image && { image_url: dish.image }),
    price_info: priceOf(writing, dish, leastPrice(dish)),
    ...(groups.length > 0 && { modifier_group_ids: { ids: groups.map(({ key }) => key) } }),
    tax_info: taxOf(writing, dish),
    ...some('nutritional_info', nutritionOf(writing, dish)),
    ...some('dish_info', some('classifications', classificationsOf(writing, dish))),
    ...(typeof row.abv_percent === 'number' && beverageOf(row.abv_percent)),
    ...suspensionOf(writing, dish),
  };
}

const beverageOf = (abv: number) => ({
  beverage_info: { alcohol_by_volume: Math.round(abv * 100) },
});

/** An option is an item of its own. */
function optionItems(writing: Writing, group: FlatGroup): Row[] {
  const { menu } = writing;
  const { of, field } = group;
  return group.options.map(({ key, name, price, allergens, isSoldOut, abv_percent }) => {
    if (allergens?.length === 0) menu.losses.lossy(of, 'options', 'noneLeftOut');
    const names = allergens?.map((one) => UBER_ALLERGENS[one]) ?? [];
    return {
      id: key,
      title: writing.text(of, field === 'name' ? 'options' : field, name),
      price_info: priceOf(writing, of, price),
      tax_info: {},
      ...(names.length > 0 && { nutritional_info: { allergens: names } }),
      ...(isSoldOut && { suspension_info: { suspension: { suspend_until: FAR } } }),
      ...(typeof abv_percent === 'number' && beverageOf(abv_percent)),
    };
  });
}

function groupOf(writing: Writing, group: FlatGroup): Row {
  const quantity = {
    min_permitted: group.min,
    ...(group.max !== null && { max_permitted: group.max }),
  };
  return {
    id: group.key,
    title: writing.text(group.of, group.field, group.name),
    quantity_info: { quantity },
    modifier_options: group.options.map(({ key }) => ({ id: key, type: 'ITEM' })),
  };
}

/** The hours of a service; spans that are too short for it are named. */
function availabilityOf({ menu }: Writing, week: Week, record: Reported, field: string): Row[] {
  return week.flatMap((spans, day) => {
    const long = spans.filter(({ from, to }: DaySpan) => to - from >= SHORTEST);
    if (long.length < spans.length) menu.losses.lossy(record, field, 'spanLeftOut');
    if (long.length === 0) return [];
    const periods = long.map((span) => ({ start_time: timeOf(span.from), end_time: endOf(span) }));
    return [{ day_of_week: DAYS[day], time_periods: periods }];
  });
}

const ALWAYS: Week = Array.from({ length: 7 }, () => [{ from: 0, to: DAY_END }]);

function menusOf(writing: Writing): Row[] {
  const { menu } = writing;
  const { settings, losses } = menu;
  const restaurant = namedSettings(settings);
  const opening = weekOf(settings.opening_hours);
  const hasHours = opening.some((spans) => spans.length > 0);
  if (!hasHours) losses.lossy(restaurant, 'opening_hours', 'hoursMissing');
  const opened = availabilityOf(writing, hasHours ? opening : ALWAYS, restaurant, 'opening_hours');
  // Uber refuses a menu without an hour at which it is served.
  const usual =
    opened.length > 0 ? opened : availabilityOf(writing, ALWAYS, restaurant, 'opening_hours');
  const menus = menusByHours(menu, usual, (section) => {
    const timed = timedSection(menu, section);
    const hours = timed ? availabilityOf(writing, weekOf(timed.row.hours), section, 'hours') : [];
    // Without a span that is long enough there is no hour at which it could be sold.
    return hours.length > 0 ? hours : null;
  });
  const title = writing.text(restaurant, 'name', { [menu.locale]: String(settings.name) });
  return menus.map(({ id, hours, sections }) => ({
    ...{ id, title, service_availability: hours, category_ids: sections },
  }));
}

function* write(menu: OutMenu): Generator<void, Row> {
  const { settings, locale } = menu;
  const language = uberLanguage(locale, settings.country);
  const writing: Writing = {
    menu,
    text: (record, field, texts, max) => ({
      translations: { [language]: menu.one(record, field, texts, max) },
    }),
  };
  nameMissingVat(menu);
  const groups = createFlatGroups(menu);
  const items: Row[] = [];
  const categories: Row[] = [];
  for (const section of menu.sections) {
    const notes = (section.row.notes ?? {}) as Translations;
    categories.push({
      id: section.key,
      title: writing.text(section, 'name', joinedNames(section)),
      ...(Object.keys(notes).length > 0 && { subtitle: writing.text(section, 'notes', notes) }),
      entities: section.dishes.map(({ key }) => ({ id: key, type: 'ITEM' })),
    });
    for (const dish of section.dishes) {
      items.push(itemOf(writing, dish, [...groups.own(dish), ...groups.shared(dish)]));
      yield;
    }
  }
  const modifier_groups: Row[] = [];
  for (const group of groups.all) {
    items.push(...optionItems(writing, group));
    modifier_groups.push(groupOf(writing, group));
    yield;
  }
  return { menus: menusOf(writing), categories, items, modifier_groups };
}
