import * as v from 'valibot';
import { column, type Db, type Fragment, type Statement, sql } from '../postgres/sql.ts';
import { isOpenRelease } from './releases.ts';
import type { LockedTenant } from './tenants.ts';

/** The present moment by Postgres' clock, which decides what is due: those of hosts differ. */
export function readClock(db: Db): Promise<Date> {
  return db.one(sql.value(v.date())`select clock_timestamp()`);
}

/**
 * Up to `limit` tenants above the id `after` with changes that are due, or with releases that are to be
 * checked, by id.
 */
export function findDueTenants(db: Db, after: number, limit: number): Promise<readonly number[]> {
  return db.any(sql.value(v.number())`
    select id
    from (
      select id from tenants where next_change_at <= now()
      union
      select tenant_id from releases
      where ${isOpenRelease} and (not is_checked or is_preview_wanted)
      union
      select tenant_id from releases where recheck_at <= now()
    ) due
    where id > ${after} order by id limit ${limit}
  `);
}

const dueSoonSchema = v.object({
  id: v.number(),
  /** As `lockTenants` has it. */
  stamp: v.string(),
  /** Ms until the change. */
  left: v.number(),
});

/** Up to `limit` tenants with changes that become due within so many ms, by their moments. */
export function findDueSoon(db: Db, within: number, limit: number) {
  return db.any(sql.type(dueSoonSchema)`
    select id, xmin::text as stamp,
      extract(epoch from next_change_at - now())::float8 * 1000 as left
    from tenants
    where next_change_at > now() and next_change_at <= now() + ${within} * interval '1 ms'
    order by next_change_at, id limit ${limit}
  `);
}

/** For how many seconds the oldest change has been due; 0 when none is. */
export function findClockLate(db: Db): Promise<number> {
  return db.one(sql.value(v.number())`
    select coalesce(extract(epoch from now() - min(next_change_at)), 0)::float8
    from tenants where next_change_at <= now()
  `);
}

/** The moment at which a time of being sold out is over; at once where it is over already. */
const endOf = (until: Fragment) => sql.fragment`
  case when ${until} is not null then greatest(${until}, given.at + interval '1 microsecond') end
`;
const shown = sql.fragment`tenant_id = t.id and deleted_at is null`;
const endsOfParts = (table: 'dishes' | 'modifier_groups', list: 'variants' | 'options') => {
  const parts = sql.identifier([list]);
  return sql.fragment`
    select ${endOf(sql.fragment`(part ->> 'sold_out_until')::timestamptz`)} as moment
    from ${sql.identifier([table])} cross join jsonb_array_elements(${parts}) part
    where ${shown} and jsonb_path_exists(${parts}, '$[*].sold_out_until')
  `;
};

/**
 * The statement that notes the first moment after their locks at which something of tenants changes on
 * its own. A dish that is sold out until an earlier one is due at once: a release that was late has set
 * it.
 *
 * @param tenants one at least
 */
export function foreseeNextChanges(
  tenants: readonly Pick<LockedTenant, 'id' | 'locked_at'>[],
): Statement {
  return sql.nothing`
    update tenants t set next_change_at = (
      select min(moment) from (
        select unnest(array[
          visible_from, visible_until, ${endOf(sql.fragment`sold_out_until`)}
        ]) as moment from dishes where ${shown}
        union all
        select unnest(array[visible_from, visible_until]) from sections where ${shown}
        union all ${endsOfParts('dishes', 'variants')}
        union all ${endsOfParts('modifier_groups', 'options')}
        union all
        select case state when 'scheduled' then starts_at else ends_at end from releases
        where tenant_id = t.id and state in ('scheduled', 'live')
      ) m
      where moment > given.at and isfinite(moment)
    )
    from unnest(
      ${column(tenants, ({ id }) => id, 'int4')},
      ${column(tenants, ({ locked_at: at }) => at.toISOString(), 'timestamptz')}
    ) as given (id, at)
    where t.id = given.id
  `;
}
