import { shiftDay } from '../../../db/runtime/day.ts';
import { allergens as allergenDictionary } from '../../../db/schema/dictionary.ts';
import type { StoredDish } from '../../../db/schema/dish.ts';
import { ALL_LOCALES, type Locale } from '../../../db/schema/values/locale.ts';
import type { Compared, DailyTotal, Readers, Summed } from '../../../db/sql/counts.ts';
import { remainingDishes } from './items.ts';
import { countDays } from './period.ts';
import { changeOf, type MenuFacts, shareOf } from './report.ts';
import type { Figures } from './report-schemas.ts';

/** The data in which findings are looked for. */
export interface Evidence {
  menu: MenuFacts;
  /** First day of the period: earlier ones belong to the one before. */
  from: string;
  /** Those on which there was anything to count, in their order. */
  days: readonly DailyTotal[];
  hours: readonly Summed[];
  items: readonly Compared[];
  readers: readonly Readers[];
  allergens: readonly Summed[];
}

const MAX_EXAMPLES = 5;
/** A filter that leaves less than a fifth of the dishes, or fewer than five, leaves too little. */
const NARROW_SHARE = 0.2;
const NARROW_DISHES = 5;

/** Dishes on the menu that no guest opened. */
export function findNeverViewed({ menu, items }: Evidence): Figures[] {
  const viewed = new Set(items.filter(({ events }) => events > 0).map(({ key }) => Number(key)));
  const never = menu.visibleDishes.filter(({ id }) => !viewed.has(id));
  // Without any opened dish, the displays are in question and not these dishes.
  if (never.length === 0 || viewed.size === 0) return [];
  const examples = never
    .slice(0, MAX_EXAMPLES)
    .map((dish) => ({ id: dish.id, name: menu.name(dish) }));
  const visible = menu.visibleDishes.length;
  return [{ kind: 'never_viewed', count: never.length, visible, examples }];
}

/** Whether a reader of `locale` gets some of a dish's texts in another language. */
function lacks(dish: StoredDish, locale: Locale): boolean {
  const described = Object.values(dish.description_translations).some(Boolean);
  return !dish.name_translations[locale] || (described && !dish.description_translations[locale]);
}

/**
 * Languages of the restaurant whose readers opened dishes that are not translated for them; the most
 * read first.
 */
export function findMissingTranslations({ menu, readers }: Evidence): Figures[] {
  return ALL_LOCALES.map((locale, position) => {
    const dishes = readers.flatMap(({ item_id, views }) => {
      const dish = menu.dishes.get(item_id);
      const read = views[position] ?? 0;
      if (!dish || read === 0 || !lacks(dish, locale)) return [];
      return [{ id: dish.id, name: menu.name(dish), views: read }];
    });
    return {
      kind: 'missing_translations' as const,
      locale,
      items: dishes.length,
      views: dishes.reduce((sum, { views }) => sum + views, 0),
      examples: dishes.sort((a, b) => b.views - a.views || a.id - b.id).slice(0, MAX_EXAMPLES),
    };
  })
    .filter(({ items, locale }) => items > 0 && menu.supportedLocales.includes(locale))
    .sort((a, b) => b.views - a.views);
}

/** Filters that guests used and that leave the menu nearly empty; the most used first. */
export function findNarrowAllergens({ menu, allergens }: Evidence): Figures[] {
  const visible_dishes = menu.visibleDishes.length;
  const uses = new Map(allergens.map(({ key, events }) => [key, events]));
  return allergenDictionary
    .in(menu.defaultLocale)
    .filter(({ key }) => uses.has(key))
    .map(({ key, name }) => ({
      kind: 'narrow_allergen' as const,
      allergen: key,
      name,
      uses: uses.get(key) ?? 0,
      remaining_dishes: remainingDishes(menu, key),
      visible_dishes,
    }))
    .filter(
      ({ remaining_dishes: left }) =>
        left < visible_dishes && (left < NARROW_DISHES || left < NARROW_SHARE * visible_dishes),
    )
    .sort((a, b) => b.uses - a.uses);
}

/** Fewer views than this say nothing. */
const MIN_VIEWS = 20;
/** A share must change by a quarter of itself to be called a rise or a fall. */
const MIN_CHANGE = 0.25;
/** Standard errors beyond which a change is no accident, even among hundreds of dishes. */
const MIN_DEVIATIONS = 3.5;
/** Visitors must change by so many percent to be worth a line. */
const MIN_VISITORS_CHANGE = 10;
const MAX_OF_A_KIND = 3;

/** How many standard errors lie between two shares; positive when the first is larger. */
function deviations(now: number, total: number, before: number, totalBefore: number): number {
  const pooled = (now + before) / (total + totalBefore);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / total + 1 / totalBefore));
  return error === 0 ? 0 : (now / total - before / totalBefore) / error;
}

/**
 * Dishes whose share of all views rose or fell by more than chance explains, and their views with it;
 * the strongest first. A share, since every dish is opened more often when there are more guests.
 */
export function findTrends({ menu, items }: Evidence): Figures[] {
  const known = items.filter(({ key }) => menu.dishes.has(Number(key)));
  const total = known.reduce((sum, { events }) => sum + events, 0);
  const totalBefore = known.reduce((sum, { previous_events }) => sum + previous_events, 0);
  if (total === 0 || totalBefore === 0) return [];
  const changed = known
    .filter(({ events, previous_events }) => {
      const expected = (previous_events / totalBefore) * total;
      return (
        Math.max(events, previous_events) >= MIN_VIEWS &&
        Math.abs(events - expected) >= MIN_CHANGE * expected
      );
    })
    .map((item) => ({
      item,
      strength: deviations(item.events, total, item.previous_events, totalBefore),
    }))
    .filter(({ strength }) => Math.abs(strength) >= MIN_DEVIATIONS)
    .sort((a, b) => Math.abs(b.strength) - Math.abs(a.strength));
  const pick = (kind: 'rising_item' | 'falling_item', sign: number) =>
    changed
      .filter(({ item: { events, previous_events }, strength }) => {
        // The finding names the views: what fell among many more guests may have more of them.
        return strength * sign > 0 && (events - previous_events) * sign > 0;
      })
      .slice(0, MAX_OF_A_KIND)
      .flatMap(({ item: { key, events, previous_events } }): Figures[] => {
        const dish = menu.dishes.get(Number(key));
        if (!dish) return [];
        return [
          {
            kind,
            item_id: dish.id,
            name: menu.name(dish),
            views: events,
            previous_views: previous_events,
            change: changeOf(events, previous_events),
          },
        ];
      });
  return [...pick('rising_item', 1), ...pick('falling_item', -1)];
}

/** Whether there were clearly more or fewer visitors than in the period before. */
export function findVisitorsChange({ days, from }: Evidence): Figures[] {
  const sum = (wanted: typeof days) => wanted.reduce((total, day) => total + day.visitors, 0);
  const visitors = sum(days.filter(({ day }) => day >= from));
  const previous_visitors = sum(days.filter(({ day }) => day < from));
  const change = changeOf(visitors, previous_visitors);
  if (change === null || Math.abs(change) < MIN_VISITORS_CHANGE) return [];
  return [{ kind: 'visitors', visitors, previous_visitors, change }];
}

/** Fewer visitors than this show no rhythm. */
const MIN_VISITORS = 50;
/** Weeks that must have been seen before a weekday is called busy. */
const MIN_WEEKS = 2;
const DAYS_PER_WEEK = 7;
/** How far above the average a weekday must lie. */
const MIN_EXCESS = 1.2;

function weekdayOf(day: string): number {
  return new Date(day).getUTCDay();
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function visitorsOf(days: readonly DailyTotal[]): number {
  return days.reduce((sum, { visitors }) => sum + visitors, 0);
}

/** The hour in which most visitors looked at the menu; who stays for two is a visitor of both. */
export function findBusiestHour({ hours, days, from }: Evidence): Figures[] {
  const total = visitorsOf(days.filter(({ day }) => day >= from));
  const [busiest] = [...hours].sort((a, b) => b.visitors - a.visitors);
  if (!busiest || total < MIN_VISITORS) return [];
  const { key, visitors } = busiest;
  return [{ kind: 'busiest_hour', hour: Number(key), visitors, share: shareOf(visitors, total) }];
}

/** The weekday (0 is Sunday) that stands out by its visitors, days without any among them. */
export function findBusiestWeekday({ days, from }: Evidence): Figures[] {
  const counted = days.filter(({ day }) => day >= from);
  const total = visitorsOf(counted);
  const [first, last] = [counted[0], counted.at(-1)];
  if (!first || !last || total < MIN_VISITORS) return [];
  const calendar = Array.from({ length: countDays(first.day, last.day) }, (_, index) =>
    weekdayOf(shiftDay(first.day, index)),
  );
  if (calendar.length < MIN_WEEKS * DAYS_PER_WEEK) return [];
  const overall = total / calendar.length;
  const averages = Array.from({ length: DAYS_PER_WEEK }, (_, weekday) => {
    const visitors = visitorsOf(counted.filter(({ day }) => weekdayOf(day) === weekday));
    return { weekday, average: visitors / calendar.filter((one) => one === weekday).length };
  });
  const [busiest] = averages.sort((a, b) => b.average - a.average);
  if (!busiest || busiest.average < MIN_EXCESS * overall) return [];
  return [
    {
      kind: 'busiest_weekday',
      weekday: busiest.weekday,
      average: round(busiest.average),
      overall_average: round(overall),
    },
  ];
}
