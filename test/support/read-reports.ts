import type { Recount, Tally } from './recount-events.ts';

/** Asks for a report below `/api/v1/admin/analytics/` and gives its `data`. */
// biome-ignore lint/suspicious/noExplicitAny: what a report holds is what is being found out.
type ReadReport = (path: string) => Promise<any>;

interface Entry {
  events: number;
  visitors: number;
}

/** Entries without events say nothing that a recount could contain. */
function tallies<T>(list: readonly T[], read: (entry: T) => [string, Entry]) {
  const pairs = list.map(read).filter(([, { events }]) => events > 0);
  return Object.fromEntries(
    pairs.map(([key, { events, visitors }]): [string, Tally] => [key, { events, visitors }]),
  );
}

interface Viewed {
  id: number;
  key: string;
  views: number;
  uses: number;
  visitors: number;
}

/** The figures of the reports on a period, in the form of a recount. */
export async function readReports(read: ReadReport, query: string): Promise<Recount> {
  const [overview, items, sections, allergens, searches] = await Promise.all(
    ['overview', 'items', 'sections', 'allergens', 'searches'].map((name) =>
      read(`${name}?${query}`),
    ),
  );
  const types: [string, number][] = Object.entries(overview.totals.by_type);
  const view = ({ id, views: events, visitors }: Viewed): [string, Entry] => {
    return [String(id), { events, visitors }];
  };
  const hourOf = (hour: Entry & { hour: number }): [string, Entry] => [String(hour.hour), hour];
  const locales: (Entry & { locale: string | null })[] = overview.by_locale;
  return {
    total: { events: overview.totals.events, visitors: overview.totals.visitors },
    byType: Object.fromEntries(types.filter(([, count]) => count > 0)),
    byDay: tallies(overview.by_day, (day: Entry & { date: string }) => [day.date, day]),
    byHour: tallies(overview.by_hour, hourOf),
    byLocale: Object.fromEntries(locales.map(({ locale, events }) => [locale ?? '', events])),
    visitorsOfLocales: locales.reduce((sum, { visitors }) => sum + visitors, 0),
    items: tallies(items.items, view),
    sections: tallies(sections.sections, view),
    allergens: tallies(allergens.allergens, ({ key, uses, visitors }: Viewed) => [
      key,
      { events: uses, visitors },
    ]),
    emptySearches: Object.fromEntries(
      searches.queries.map((one: { query: string; searches: number }) => [one.query, one.searches]),
    ),
  };
}
