import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
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

/** For how many seconds the oldest change has been due; 0 when none is. */
export function findClockLate(db: Db): Promise<number> {
  return db.one(sql.value(v.number())`
    select coalesce(extract(epoch from now() - min(next_change_at)), 0)::float8
    from tenants where next_change_at <= now()
  `);
}

/** The lists whose objects may be sold out until a moment. */
const PARTS = [
  ['dishes', 'variants'],
  ['modifier_groups', 'options'],
] as const;

/**
 * Notes the first moment after their locks at which something of tenants changes on its own. A dish
 * that is sold out until an earlier one is due at once: a release that was late has set it.
 */
export async function foreseeNextChanges(
  db: Db,
  tenants: readonly Pick<LockedTenant, 'id' | 'locked_at'>[],
): Promise<void> {
  if (tenants.length === 0) return;
  const moments = (table: 'dishes' | 'sections', name: string) => sql.fragment`
    select ${sql.identifier([name])} as moment from ${sql.identifier([table])}
    where tenant_id = t.id and deleted_at is null
  `;
  const all = [
    sql.fragment`
      select greatest(sold_out_until, given.at + interval '1 microsecond') as moment
      from dishes where tenant_id = t.id and deleted_at is null and sold_out_until is not null
    `,
    ...PARTS.map(
      ([table, list]) => sql.fragment`
        select greatest(
          (part ->> 'sold_out_until')::timestamptz, given.at + interval '1 microsecond'
        ) as moment
        from ${sql.identifier([table])} r
        cross join jsonb_array_elements(r.${sql.identifier([list])}) part
        where r.tenant_id = t.id and r.deleted_at is null
          and jsonb_path_exists(r.${sql.identifier([list])}, '$[*].sold_out_until')
      `,
    ),
    ...(['dishes', 'sections'] as const).flatMap((table) => [
      moments(table, 'visible_from'),
      moments(table, 'visible_until'),
    ]),
    sql.fragment`
      select case state when 'scheduled' then starts_at else ends_at end as moment from releases
      where tenant_id = t.id and state in ('scheduled', 'live')
    `,
  ];
  await db.run(sql.nothing`
    update tenants t set next_change_at = (
      select min(moment) from (${sql.join(all, ' union all ')}) m
      where moment > given.at and isfinite(moment)
    )
    from unnest(
      ${column(tenants, ({ id }) => id, 'int4')},
      ${column(tenants, ({ locked_at: at }) => at.toISOString(), 'timestamptz')}
    ) as given (id, at)
    where t.id = given.id
  `);
}
