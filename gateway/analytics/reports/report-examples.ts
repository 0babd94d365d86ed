import { EVENT_TYPES, type EventType } from '../../../db/schema/event.ts';
import { rankViews } from './overview.ts';
import { changeOf } from './report.ts';
import type { ReportFigures, ReportName, Views } from './report-schemas.ts';

const period = { from: '2026-01-15', to: '2026-01-15', timezone: 'Europe/Rome' };
const types = {
  menu_view: 12,
  section_view: 5,
  item_view: 8,
  search: 4,
  allergen_filter: 3,
  locale_change: 0,
  review_click: 0,
};
const previousTypes = {
  menu_view: 10,
  section_view: 2,
  item_view: 4,
  search: 0,
  allergen_filter: 1,
  locale_change: 3,
  review_click: 0,
};
const change = EVENT_TYPES.map((type) => [type, changeOf(types[type], previousTypes[type])]);

/** The figures of a report on a single thing that guests looked at. */
function viewsBy(type: EventType): Views {
  const counts = { events: types[type], previous_events: previousTypes[type] };
  const [only] = rankViews([{ key: '', visitors: 3, ...counts }]);
  return (only as { views: Views }).views;
}

const { views: uses, previous_views: previous_uses, ...used } = viewsBy('allergen_filter');
const dish = { id: 7, name: 'Gricia', category_id: 2, category_name: 'Primi', is_active: true };
const section = { id: 2, name: 'Primi', parent_id: null, menu_type: 'standard' as const };

const figures: { [N in ReportName]: ReportFigures<N> } = {
  overview: {
    totals: { events: 32, visitors: 9, by_type: types },
    previous: {
      from: '2026-01-14',
      to: '2026-01-14',
      events: 20,
      visitors: 10,
      by_type: previousTypes,
    },
    change: {
      events: changeOf(32, 20),
      visitors: changeOf(9, 10),
      by_type: Object.fromEntries(change) as Record<EventType, number | null>,
    },
    by_day: [{ date: '2026-01-15', events: 32, visitors: 9 }],
    by_hour: [{ hour: 20, events: 32, visitors: 9 }],
    by_locale: [{ locale: 'it', events: 32, visitors: 9, share: 1 }],
  },
  items: {
    total_views: 8,
    total_items: 1,
    items: [{ ...dish, ...viewsBy('item_view') }],
    total_never_viewed: 0,
    never_viewed: [],
  },
  sections: {
    total_views: 5,
    total_sections: 1,
    sections: [{ ...section, is_active: true, item_views: 8, ...viewsBy('section_view') }],
    total_never_viewed: 0,
    never_viewed: [],
  },
  allergens: {
    total_uses: 3,
    visible_dishes: 40,
    allergens: [
      {
        key: 'latte',
        name: 'Latte',
        remaining_dishes: 22,
        uses,
        previous_uses,
        ...used,
      },
    ],
    never_used: [{ key: 'lupini', name: 'Lupini' }],
  },
  searches: {
    total_searches: 3,
    total_queries: 1,
    queries: [{ query: 'carbonara', searches: 3, share: 1 }],
    other_searches: 0,
  },
  insights: {
    locale: 'it',
    findings: [
      {
        kind: 'busiest_hour',
        text: "L'ora con più visitatori è tra le 20 e le 21: 80% del totale.",
        figures: { hour: 20, visitors: 60, share: 0.8 },
      },
    ],
  },
};

/** Answers of the reports. */
export const reportExamples = Object.fromEntries(
  Object.entries(figures).map(([name, said]): [string, object] => [
    name,
    {
      success: true,
      data: { ...period, ...said },
      meta: { generated_at: '2026-01-15T22:00:00+00:00' },
    },
  ]),
) as { [N in ReportName]: { data: ReportFigures<N> } };
