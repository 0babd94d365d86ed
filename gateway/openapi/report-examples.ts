import type { ReportFigures, ReportName } from '../analytics/reports/report-schemas.ts';

const period = { from: '2026-01-15', to: '2026-01-15', timezone: 'Europe/Rome' };
const types = {
  menu_view: 12,
  section_view: 5,
  item_view: 8,
  search: 0,
  allergen_filter: 3,
  locale_change: 0,
  review_click: 0,
};
const comparison = {
  visitors: 6,
  share: 1,
  rank: 1,
  previous_rank: 2,
  rank_change: 1,
  change: 100,
};
const dish = { id: 7, name: 'Gricia', category_id: 2, category_name: 'Primi', is_active: true };
const section = { id: 2, name: 'Primi', parent_id: null, menu_type: 'standard' as const };

const figures: { [N in ReportName]: ReportFigures<N> } = {
  overview: {
    totals: { events: 28, visitors: 9, by_type: types },
    previous: {
      from: '2026-01-14',
      to: '2026-01-14',
      events: 28,
      visitors: 10,
      by_type: types,
    },
    change: { events: 0, visitors: -10, by_type: { ...types, menu_view: 0, item_view: null } },
    by_day: [{ date: '2026-01-15', events: 28, visitors: 9 }],
    by_hour: [{ hour: 20, events: 28, visitors: 9 }],
    by_locale: [{ locale: 'it', events: 28, visitors: 9, share: 1 }],
  },
  items: {
    total_views: 8,
    total_items: 1,
    items: [{ ...dish, views: 8, previous_views: 4, ...comparison }],
    total_never_viewed: 0,
    never_viewed: [],
  },
  sections: {
    total_views: 5,
    total_sections: 1,
    sections: [
      {
        ...section,
        is_active: true,
        item_views: 8,
        views: 5,
        previous_views: 2,
        ...comparison,
      },
    ],
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
        uses: 3,
        previous_uses: 1,
        ...comparison,
      },
    ],
    never_used: [{ key: 'lupini', name: 'Lupini' }],
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
  Object.entries(figures).map(([name, said]) => [
    name,
    {
      success: true,
      data: { ...period, ...said },
      meta: { generated_at: '2026-01-15T22:00:00+00:00' },
    },
  ]),
) as Record<ReportName, object>;
