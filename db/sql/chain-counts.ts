import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { translationsSchema } from '../schema/values/locale.ts';
import type { Period } from './counts.ts';

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
