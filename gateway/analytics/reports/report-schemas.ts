import * as v from 'valibot';
import { constants } from '../../../db/runtime/constants.ts';
import { objectOf } from '../../../db/runtime/keys.ts';
import { allergens as allergenDictionary } from '../../../db/schema/dictionary.ts';
import { EVENT_TYPES } from '../../../db/schema/event.ts';
import { MENU_TYPES } from '../../../db/schema/section.ts';
import { described } from '../../../db/schema/validation/described-as.ts';
import { localeSchema } from '../../../db/schema/values/locale.ts';
import { integerSchema } from '../../../db/schema/values/record-id.ts';

// Schemas of the reports below `/admin/analytics`.

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const day = v.pipe(v.string(), v.isoDate());
/** From 0 to 1. */
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
/** In percent of the period before; null when there was nothing. */
const change = v.nullable(v.number());

const counted = { events: count, visitors: count };

function byType<S extends v.GenericSchema>(figure: S) {
  return v.object(objectOf(EVENT_TYPES, () => figure));
}

/** The head of every report: its days, both ends included, and its time zone. */
const period = { from: day, to: day, timezone: v.string() };

const overviewSchema = v.object({
  ...period,
  totals: v.object({ ...counted, by_type: byType(count) }),
  previous: v.object({ from: day, to: day, ...counted, by_type: byType(count) }),
  change: v.object({ events: change, visitors: change, by_type: byType(change) }),
  by_day: v.array(v.object({ date: day, ...counted })),
  by_hour: v.array(v.object({ hour: v.pipe(count, v.maxValue(23)), ...counted })),
  by_locale: v.array(v.object({ locale: v.nullable(v.string()), ...counted, share })),
});

const comparison = {
  visitors: count,
  share,
  rank: count,
  previous_rank: v.nullable(count),
  rank_change: v.nullable(integerSchema),
  change,
};

/** How often something of the menu was looked at, and its place among its like. */
const viewsSchema = v.object({ views: count, previous_views: count, ...comparison });
export type Views = v.InferOutput<typeof viewsSchema>;

const namedDish = {
  id: integerSchema,
  name: v.string(),
  category_id: integerSchema,
  category_name: v.string(),
  is_active: v.boolean(),
};

const itemsReportSchema = v.object({
  ...period,
  total_views: count,
  total_items: count,
  items: v.array(v.object({ ...namedDish, ...viewsSchema.entries })),
  total_never_viewed: count,
  never_viewed: described(v.array(v.object(namedDish)), 'Dishes on the menu that no guest opened.'),
});

const namedSection = {
  id: integerSchema,
  name: v.string(),
  parent_id: v.nullable(integerSchema),
  menu_type: v.picklist(MENU_TYPES),
  is_active: v.boolean(),
  item_views: count,
};

const sectionsReportSchema = v.object({
  ...period,
  total_views: count,
  total_sections: count,
  sections: v.array(v.object({ ...namedSection, ...viewsSchema.entries })),
  total_never_viewed: count,
  never_viewed: v.array(v.object(namedSection)),
});

const allergensReportSchema = v.object({
  ...period,
  total_uses: count,
  visible_dishes: count,
  allergens: v.array(
    v.object({
      ...allergenDictionary.entrySchema.entries,
      remaining_dishes: count,
      uses: count,
      previous_uses: count,
      ...comparison,
    }),
  ),
  never_used: v.array(allergenDictionary.entrySchema),
});

const searchesReportSchema = v.object({
  ...period,
  total_searches: count,
  total_queries: count,
  queries: v.array(v.object({ query: v.string(), searches: count, share })),
  other_searches: described(
    count,
    `Searches whose text was not kept: only ${constants.maxEmptySearchesPerDay} different texts of a day are.`,
  ),
});

const trendSchema = v.object({
  item_id: integerSchema,
  name: v.string(),
  views: count,
  previous_views: count,
  change,
});
/** See `visibleDishes`. */
const visible = described(count, 'Dishes on the menu.');
const example = { id: integerSchema, name: v.string() };

/** The figures behind each kind of finding; a text is made of these and nothing else. */
const figureSchemas = {
  visitors: v.object({ visitors: count, previous_visitors: count, change: v.number() }),
  rising_item: trendSchema,
  falling_item: trendSchema,
  never_viewed: v.object({ count, visible, examples: v.array(v.object(example)) }),
  busiest_hour: v.object({ hour: v.pipe(count, v.maxValue(23)), visitors: count, share }),
  busiest_weekday: v.object({
    weekday: v.pipe(count, v.maxValue(6)),
    average: v.number(),
    overall_average: v.number(),
  }),
  missing_translations: v.object({
    locale: localeSchema,
    items: count,
    views: count,
    examples: v.array(v.object({ ...example, views: count })),
  }),
  narrow_allergen: v.object({
    allergen: allergenDictionary.keySchema,
    name: v.string(),
    uses: count,
    remaining_dishes: count,
    visible_dishes: count,
  }),
};
type FigureSchemas = typeof figureSchemas;

/** A finding as it is found: its kind and its figures. */
export type Figures = {
  [K in keyof FigureSchemas]: { kind: K } & v.InferOutput<FigureSchemas[K]>;
}[keyof FigureSchemas];

const insightsSchema = v.object({
  ...period,
  locale: localeSchema,
  findings: v.array(
    v.variant(
      'kind',
      Object.entries(figureSchemas).map(([kind, figures]) =>
        v.object({ kind: v.literal(kind), text: v.string(), figures }),
      ),
    ),
  ),
});

/** Every report by its name in the path. */
export const reportSchemas = {
  overview: overviewSchema,
  items: itemsReportSchema,
  sections: sectionsReportSchema,
  allergens: allergensReportSchema,
  searches: searchesReportSchema,
  insights: insightsSchema,
};
export type ReportName = keyof typeof reportSchemas;

/** The fields of a report beside its period. */
export type ReportFigures<N extends ReportName> = Omit<
  v.InferOutput<(typeof reportSchemas)[N]>,
  keyof typeof period
>;
