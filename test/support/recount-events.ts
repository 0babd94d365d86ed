import type { SentEvent } from '../../bench/load/events.ts';

/** Events, and visitors: a visitor counts once a day. */
export interface Tally {
  events: number;
  visitors: number;
}

/** The figures that the reports must show, counted from the events that were answered 202. */
export interface Recount {
  total: Tally;
  byType: Record<string, number>;
  byDay: Record<string, Tally>;
  byHour: Record<string, Tally>;
  /** Events without a locale have the key ''. */
  byLocale: Record<string, number>;
  /** Of all languages together: a visitor counts in the first one of a day. */
  visitorsOfLocales: number;
  items: Record<string, Tally>;
  sections: Record<string, Tally>;
  allergens: Record<string, Tally>;
  /** How often a search for a text found nothing. */
  emptySearches: Record<string, number>;
}

/** Counts events, and visitors once a day. */
function createTallies() {
  const tallies: Record<string, Tally> = {};
  const counted = new Set<string>();
  return {
    tallies,
    add: (key: string, day: string, visitor: string) => {
      const tally = tallies[key] ?? { events: 0, visitors: 0 };
      tallies[key] = tally;
      tally.events += 1;
      const visit = `${key} ${day} ${visitor}`;
      if (counted.has(visit)) return;
      counted.add(visit);
      tally.visitors += 1;
    },
  };
}

/** Counts events one by one; events with the same id count once. */
export function recount(
  events: Iterable<SentEvent>,
  timezone: string,
  known: { items: readonly number[]; sections: readonly number[] },
): Recount {
  const style = { dateStyle: 'short', timeStyle: 'short' } as const;
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, ...style });
  const [total, types, days, hours] = Array.from({ length: 4 }, createTallies);
  const [locales, items, sections, allergens] = Array.from({ length: 4 }, createTallies);
  const searches = createTallies();
  const knownItems = new Set(known.items);
  const knownSections = new Set(known.sections);
  const ids = new Set<string>();
  for (const event of events) {
    if (ids.has(event.id)) continue;
    ids.add(event.id);
    const [day = '', time = ''] = clock.format(new Date(event.occurred_at)).split(' ');
    const visitor = event.visitor_id;
    const add = (to: typeof total, key: string | number) => to?.add(String(key), day, visitor);
    add(total, 'all');
    add(types, event.type);
    add(days, day);
    add(hours, Number(time.slice(0, 2)));
    add(locales, event.locale ?? '');
    const { type, item_id = 0, category_id = 0, allergen = '' } = event;
    if (type === 'item_view' && knownItems.has(item_id)) add(items, item_id);
    if (type === 'section_view' && knownSections.has(category_id)) add(sections, category_id);
    if (type === 'allergen_filter') add(allergens, allergen);
    if (event.results === 0) add(searches, event.query ?? '');
  }
  const eventsOf = (tallies: Record<string, Tally> = {}) =>
    Object.fromEntries(Object.entries(tallies).map(([key, { events }]) => [key, events]));
  return {
    total: total?.tallies.all ?? { events: 0, visitors: 0 },
    byType: eventsOf(types?.tallies),
    byDay: days?.tallies ?? {},
    byHour: hours?.tallies ?? {},
    byLocale: eventsOf(locales?.tallies),
    visitorsOfLocales: total?.tallies.all?.visitors ?? 0,
    items: items?.tallies ?? {},
    sections: sections?.tallies ?? {},
    allergens: allergens?.tallies ?? {},
    emptySearches: eventsOf(searches.tallies),
  };
}
