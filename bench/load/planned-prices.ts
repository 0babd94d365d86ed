import type { Database } from '../processes/database.ts';

/** A restaurant with a release that waits, and the dish that it changes. */
export interface PlannedPrice {
  slug: string;
  /** In ms since 1970. */
  at: number;
  dish_id: number;
}

interface Plan {
  /** How many of the generated restaurants are left out, in the order of their ids. */
  first?: number;
  count: number;
  price: number;
  /** Seconds until the first release begins. */
  lead: number;
  /** Releases that begin in a second; all of them at the same moment when it is left out. */
  perSecond?: number;
}

/**
 * Gives generated restaurants a release each, which changes the price of one dish. Through the API it
 * would take longer than a run, and a token of each.
 */
export async function planPrices(
  db: Database,
  { first = 0, count, price, lead, perSecond = Number.POSITIVE_INFINITY }: Plan,
): Promise<PlannedPrice[]> {
  const { rows } = await db.query<PlannedPrice>(
    `with chosen as (
       select t.id, t.slug, (
         select min(d.id) from dishes d where d.tenant_id = t.id and d.is_active
       ) as dish_id,
         date_trunc('second', now())
           + make_interval(secs => $4 + (place - 1) / $5::float8) as starts_at
       from (
         select id, slug, row_number() over (order by id) as place
         from tenants where slug not in ('trattoria', 'pizzeria')
       ) t where place > $1 and place <= $1 + $2
     ), planned as (
       insert into releases (tenant_id, name, operations, state, starts_at, is_checked)
       select id, 'Prezzi nuovi', jsonb_build_array(jsonb_build_object(
           'resource', 'items', 'action', 'update', 'id', dish_id,
           'data', jsonb_build_object('price', $3::numeric))),
         'scheduled', starts_at, true
       from chosen
     )
     select slug, dish_id, extract(epoch from starts_at)::float8 * 1000 as at from chosen`,
    [first, count, price, lead, perSecond],
  );
  return rows;
}
