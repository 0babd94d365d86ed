import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { ALL_LOCALES, LOCALES, translationsSchema } from '../schema/values/locale.ts';

/** The counts that a roll-up keeps; `db/migrations/001_tables.sql` explains the keys. */
export type CountScope = 'total' | 'type' | 'hour' | 'locale' | 'item' | 'section' | 'allergen';

/** One cell of the roll-ups with the events that were added to it. */
export interface RollUpCount {
  tenantId: number;
  scope: CountScope;
  day: string;
  key: string;
  events: number;
  /** Of a dish only: its events by the reader's language, in the order of `ALL_LOCALES`. */
  byLocale: number[] | null;
}

/** A visitor of a day with the cells in which it was seen, each as `<scope>/<key>`. */
export interface VisitorOfDay {
  tenantId: number;
  day: string;
  visitor: string;
  cells: Set<string>;
}

/** The dishes and sections that tenants have or had, each as `<tenant>/<id>`. */
export interface KnownRecords {
  dishes: ReadonlySet<string>;
  sections: ReadonlySet<string>;
}

function columns(counts: readonly RollUpCount[]) {
  return sql.fragment`
    ${column(counts, ({ tenantId }) => tenantId, 'int4')},
    ${column(counts, ({ scope }) => scope, 'analytics_scope')},
    ${column(counts, ({ day }) => day, 'date')},
    ${column(counts, ({ key }) => key, 'text')},
    ${column(counts, ({ events }) => events, 'int4')},
    ${column(counts, ({ byLocale }) => byLocale && `{${byLocale}}`, 'text')}
  `;
}

function visitColumns(visits: readonly VisitorOfDay[]) {
  return sql.fragment`
    ${column(visits, ({ tenantId }) => tenantId, 'int4')},
    ${column(visits, ({ day }) => day, 'date')},
    ${column(visits, ({ visitor }) => visitor, 'int8')},
    ${column(visits, ({ cells }) => [...cells].join(' '), 'text')}
  `;
}

/** The places of arrays by language that events need: those of the first languages, or more. */
function placesOf(counts: readonly RollUpCount[]): readonly ReturnType<typeof sql.fragment>[] {
  const most = Math.max(LOCALES.length, ...counts.map(({ byLocale }) => byLocale?.length ?? 0));
  return Array.from({ length: most }, (_, index) => sql.fragment`[${index + 1}::int]`);
}

/** The stored counts and those that come to them; places of other languages stay as they are. */
function addedByLocale(places: ReturnType<typeof placesOf>) {
  const sums = places.map(
    (at) =>
      sql.fragment`coalesce(counted.views_by_locale${at}, 0) + coalesce(excluded.views_by_locale${at}, 0)`,
  );
  return sql.fragment`
    array[${sql.join(sums, ', ')}] || counted.views_by_locale[${places.length + 1}::int:]
  `;
}

/**
 * Adds to the roll-ups; what belongs to a dish goes to its month too. A visitor counts once in a cell,
 * whichever worker saw it first: each row of visits lists its cells in the order in which they were
 * first seen, and returns those that this statement appended. Of a visitor's languages the first one of
 * a day counts, so that visitors by language add up to the visitors. Rows are locked in the order of
 * their keys, the visits before the counts: workers that meet wait for each other, never in a circle.
 *
 * One row a visitor, rather than one for each of its cells, takes a quarter of the time.
 */
export async function addCounts(
  db: Db,
  counts: readonly RollUpCount[],
  visits: readonly VisitorOfDay[],
): Promise<void> {
  const places = placesOf(counts);
  const summedByLocale = sql.join(
    places.map((at) => sql.fragment`coalesce(sum(views_by_locale${at}), 0)`),
    ', ',
  );
  await db.run(sql.nothing`
    with seen as (
      insert into analytics_visits as visit (tenant_id, day, visitor, cells)
      select tenant_id, day, visitor, string_to_array(cells, ' ')
      from unnest(${visitColumns(visits)}) as n (tenant_id, day, visitor, cells)
      order by tenant_id, day, visitor
      on conflict (tenant_id, day, visitor) do update set
        counted = cardinality(visit.cells),
        cells = visit.cells || array(
          select cell from unnest(excluded.cells) as cell
          where cell <> all (visit.cells) and not (
            starts_with(cell, 'locale/')
            and exists (select from unnest(visit.cells) as former where starts_with(former, 'locale/'))
          )
        )
      where not visit.cells @> excluded.cells
      returning tenant_id, day, cells[counted + 1:] as cells
    ), newcomers as (
      select tenant_id, day, cell, count(*) as visitors
      from seen, unnest(cells) as cell group by tenant_id, day, cell
    ), cells as (
      select n.tenant_id, n.scope, n.day, n.key, n.events,
        coalesce(newcomers.visitors, 0) as visitors, n.by_locale::int8[] as views_by_locale
      from unnest(${columns(counts)}) as n (tenant_id, scope, day, key, events, by_locale)
      join tenants on tenants.id = n.tenant_id
      left join newcomers
        on newcomers.tenant_id = n.tenant_id and newcomers.day = n.day
        and newcomers.cell = n.scope || '/' || n.key
    )
    insert into analytics_counts as counted
      (tenant_id, scope, day, key, events, visitors, views_by_locale)
    select tenant_id, scope, day, key, events, visitors, views_by_locale from cells
    union all
    select tenant_id, 'item_month', date_trunc('month', day::timestamp)::date as month, key,
      sum(events), sum(visitors), array[${summedByLocale}]::int8[]
    from cells where scope = 'item' group by tenant_id, month, key
    order by tenant_id, scope, day, key
    on conflict (tenant_id, scope, day, key) do update set
      events = counted.events + excluded.events,
      visitors = counted.visitors + excluded.visitors,
      views_by_locale = case when excluded.views_by_locale is not null
        then ${addedByLocale(places)}
      end
  `);
}

/**
 * The cells that a scope's figures of some days are made of, both ends included. For dishes these are
 * those of the whole months among the days, and those of the days before and after: a year has forty
 * rows a dish instead of 365.
 */
function selectCounts(tenantId: number, scope: CountScope, from: string, to: string) {
  const cells = (stored: CountScope | 'item_month', days: ReturnType<typeof sql.fragment>) =>
    sql.fragment`
      select day, key, events, visitors, views_by_locale from analytics_counts
      where tenant_id = ${tenantId} and scope = ${stored} and ${days}
    `;
  const until = sql.fragment`day <= ${to}::date`;
  if (scope !== 'item') return cells(scope, sql.fragment`day >= ${from}::date and ${until}`);
  // The first day of the first whole month, and the day after the last one: not later if there is none.
  const begin = sql.fragment`
    (date_trunc('month', ${from}::timestamp - interval '1 day') + interval '1 month')::date
  `;
  const end = sql.fragment`date_trunc('month', ${to}::timestamp + interval '1 day')::date`;
  return sql.fragment`
    ${cells('item', sql.fragment`day >= ${from}::date and day < ${begin} and ${until}`)}
    union all
    ${cells('item_month', sql.fragment`day >= ${begin} and day < ${end}`)}
    union all
    ${cells('item', sql.fragment`day >= greatest(${begin}, ${end}) and ${until}`)}
  `;
}

/** A report's days, both ends included, and as many days before them; `YYYY-MM-DD`. */
export interface Period {
  from: string;
  to: string;
  previousFrom: string;
  previousTo: string;
}

const comparedSchema = v.object({
  key: v.string(),
  events: v.number(),
  visitors: v.number(),
  previous_events: v.number(),
});

/**
 * The counts of a scope in a period and in the one before. Visitors are those of each day
 * added up, because no visitor is recognised on another day.
 */
export type Compared = v.InferOutput<typeof comparedSchema>;

/** Adds up the roll-ups of a scope by key; keys without events in both periods are missing. */
export function compareCounts(db: Db, tenantId: number, scope: CountScope, period: Period) {
  return db.any(sql.type(comparedSchema)`
    select key,
      coalesce(sum(events) filter (where day >= ${period.from}::date), 0)::int8 as events,
      coalesce(sum(visitors) filter (where day >= ${period.from}::date), 0)::int8 as visitors,
      coalesce(sum(events) filter (where day < ${period.from}::date), 0)::int8 as previous_events
    from (
      ${selectCounts(tenantId, scope, period.previousFrom, period.previousTo)}
      union all
      ${selectCounts(tenantId, scope, period.from, period.to)}
    ) as cell
    group by key
  `);
}

const summedSchema = v.object({ key: v.string(), events: v.number(), visitors: v.number() });
export type Summed = v.InferOutput<typeof summedSchema>;

/** Adds up the roll-ups of a scope by key in the period itself; visitors as in `Compared`. */
export function sumCounts(db: Db, tenantId: number, scope: CountScope, period: Period) {
  return db.any(sql.type(summedSchema)`
    select key, sum(events)::int8 as events, sum(visitors)::int8 as visitors
    from (${selectCounts(tenantId, scope, period.from, period.to)}) as cell
    group by key
  `);
}

const dailyTotalSchema = v.object({ day: v.string(), events: v.number(), visitors: v.number() });
export type DailyTotal = v.InferOutput<typeof dailyTotalSchema>;

/** All events and visitors of each day of the period and of the one before, in order of the days. */
export function findDailyTotals(db: Db, tenantId: number, period: Period) {
  return db.any(sql.type(dailyTotalSchema)`
    select day, events, visitors from analytics_counts
    where tenant_id = ${tenantId} and scope = 'total'
      and day between ${period.previousFrom}::date and ${period.to}::date
    order by day
  `);
}

const readersSchema = v.object({ item_id: v.number(), views: v.array(v.number()) });

/** How often the readers of each language opened a dish, in the order of `ALL_LOCALES`. */
export type Readers = v.InferOutput<typeof readersSchema>;

/** Adds up the views of dishes by their readers' language. */
export function sumItemLocales(db: Db, tenantId: number, period: Period) {
  const sums = ALL_LOCALES.map(
    (_, index) => sql.fragment`coalesce(sum(views_by_locale[${index + 1}::int]), 0)`,
  );
  return db.any(sql.type(readersSchema)`
    select key::int as item_id, json_build_array(${sql.join(sums, ', ')}) as views
    from (${selectCounts(tenantId, 'item', period.from, period.to)}) as cell
    group by key
  `);
}

/** How often guests of a restaurant searched for a text on a day and found nothing. */
export interface EmptySearch {
  tenantId: number;
  day: string;
  /** Empty where the text has no visible character. */
  query: string;
  searches: number;
}

/**
 * Adds to the searches that found nothing, each search given once. A restaurant's day holds
 * `maxEmptySearchesPerDay` texts at most; searches for further ones go to the empty text.
 *
 * It belongs behind `addCounts` in the same transaction, whose lock on the day's total makes workers
 * that count the same day take turns: so each sees all texts that the others have added.
 */
export async function addEmptySearches(db: Db, searches: readonly EmptySearch[]): Promise<void> {
  await db.run(sql.nothing`
    with given as (
      select g.*, kept.query is not null or g.query = '' as is_kept
      from unnest(
        ${column(searches, ({ tenantId }) => tenantId, 'int4')},
        ${column(searches, ({ day }) => day, 'date')},
        ${column(searches, ({ query }) => query, 'text')},
        ${column(searches, (search) => search.searches, 'int8')}
      ) as g (tenant_id, day, query, searches)
      join tenants on tenants.id = g.tenant_id
      left join analytics_empty_searches kept using (tenant_id, day, query)
    ), filled as (
      select tenant_id, day, count(*) as texts
      from analytics_empty_searches join (select distinct tenant_id, day from given) days
        using (tenant_id, day)
      where query <> '' group by tenant_id, day
    ), placed as (
      select g.*, coalesce(texts, 0) + row_number() over (
        partition by tenant_id, day, is_kept order by g.searches desc, query
      ) as place
      from given g left join filled using (tenant_id, day)
    )
    insert into analytics_empty_searches as counted (tenant_id, day, query, searches)
    select tenant_id, day,
      case when is_kept or place <= ${constants.maxEmptySearchesPerDay} then query else '' end as text,
      sum(searches)
    from placed group by tenant_id, day, text order by tenant_id, day, text
    on conflict (tenant_id, day, query) do update
      set searches = counted.searches + excluded.searches
  `);
}

const emptySearchSchema = v.object({
  query: v.string(),
  searches: v.number(),
  total: v.number(),
  texts: v.number(),
});

/**
 * Searches of the period that found nothing, the most frequent first: at most `limit`
 * texts, and before them the empty text for all that were not kept. Each row also says how many
 * searches (`total`) and how many texts there are in all.
 */
export function findEmptySearches(db: Db, tenantId: number, { from, to }: Period, limit: number) {
  return db.any(sql.type(emptySearchSchema)`
    select query, sum(searches)::int8 as searches, (sum(sum(searches)) over ())::int8 as total,
      count(*) filter (where query <> '') over () as texts
    from analytics_empty_searches
    where tenant_id = ${tenantId} and day between ${from}::date and ${to}::date
    group by query
    order by query = '' desc, sum(searches) desc, query
    limit ${limit + 1}
  `);
}

// The figures of a master and its branches beside each other.

const figureSchema = v.object({
  house: v.string(),
  kind: v.picklist(['dish', 'search', 'missed']),
  /** The name of a dish, which a dish of a branch shares with the one that it follows; else null. */
  name: v.nullable(translationsSchema),
  /** The dish, or the text that found nothing; empty for others. */
  key: v.string(),
  count: v.number(),
});
/** How often something happened in a house. */
export type HouseFigure = v.InferOutput<typeof figureSchema>;

/**
 * The dishes that guests looked at in all houses of a chain, the number of their searches, and the
 * texts that they did not find: at most `limit` dishes and texts a house. A dish that follows one of
 * the master's has its key.
 */
export function countInHouses(
  db: Db,
  masterId: number,
  { from, to }: Pick<Period, 'from' | 'to'>,
  limit: number,
) {
  const days = sql.fragment`c.day between ${from}::date and ${to}::date`;
  return db.any(sql.type(figureSchema)`
    with houses as (
      select id, slug from tenants where id = ${masterId}
      union all
      select t.id, t.slug from chain_branches b join tenants t on t.id = b.tenant_id
      where b.master_id = ${masterId}
    ), looked as (
      select h.slug, h.id as tenant_id, c.key::int as id, sum(c.events)::int8 as count,
        row_number() over (partition by h.id order by sum(c.events) desc, c.key) as place
      from houses h join analytics_counts c on c.tenant_id = h.id and c.scope = 'item' and ${days}
      group by h.id, h.slug, c.key
    ), missed as (
      select h.slug, c.query, sum(c.searches)::int8 as count,
        row_number() over (partition by h.id order by sum(c.searches) desc, c.query) as place
      from houses h join analytics_empty_searches c on c.tenant_id = h.id and ${days}
      where c.query <> ''
      group by h.id, h.slug, c.query
    )
    select d.slug as house, 'dish' as kind, r.name as name,
      case when f.id is not null or d.tenant_id = ${masterId}
        then coalesce(f.master_id, d.id)::text else d.slug || '/' || d.id end as key, d.count
    from looked d
    join dishes r on r.tenant_id = d.tenant_id and r.id = d.id
    left join chain_follows f
      on f.tenant_id = d.tenant_id and f.resource = 'items' and f.id = d.id
    where d.place <= ${limit}
    union all
    select h.slug, 'search', null, '', sum(c.events)::int8
    from houses h join analytics_counts c
      on c.tenant_id = h.id and c.scope = 'type' and c.key = 'search' and ${days}
    group by h.slug
    union all
    select slug, 'missed', null, query, count from missed where place <= ${limit}
    order by 2, 5 desc, 1, 4
  `);
}
