import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { isOpenRelease } from './releases.ts';

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
    select id from (
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

/**
 * Notes the first moment after `at` at which something of a tenant changes on its own. A dish that is
 * sold out until an earlier one is due at once: a release that was late has set it.
 */
export async function foreseeNextChange(db: Db, tenantId: number, at: Date): Promise<void> {
  const moments = (table: 'dishes' | 'sections', name: string) => sql.fragment`
    select ${sql.identifier([name])} as moment from ${sql.identifier([table])}
    where tenant_id = ${tenantId} and deleted_at is null
  `;
  const all = [
    sql.fragment`
      select greatest(sold_out_until, ${sql.timestamp(at)} + interval '1 microsecond') as moment
      from dishes where tenant_id = ${tenantId} and deleted_at is null and sold_out_until is not null
    `,
    ...(['dishes', 'sections'] as const).flatMap((table) => [
      moments(table, 'visible_from'),
      moments(table, 'visible_until'),
    ]),
    sql.fragment`
      select case state when 'scheduled' then starts_at else ends_at end as moment from releases
      where tenant_id = ${tenantId} and state in ('scheduled', 'live')
    `,
  ];
  await db.run(sql.nothing`
    update tenants set next_change_at = (
      select min(moment) from (${sql.join(all, ' union all ')}) m
      where moment > ${sql.timestamp(at)} and isfinite(moment)
    )
    where id = ${tenantId}
  `);
}
