import * as v from 'valibot';
import type { Salt } from '../../analytics/salt.ts';
import { type Db, sql } from '../../connection.ts';

const saltSchema = v.object({
  tenant_id: v.number(),
  day: v.string(),
  salt: v.instance(Buffer),
  created_at: v.date(),
});

/**
 * The salts of tenants' days. Where there is none yet the offered one is stored; whoever comes first
 * decides for all gateways.
 */
export async function findSalts(db: Db, offered: readonly Salt[]): Promise<Salt[]> {
  const rows = await db.any(sql.type(saltSchema)`
    insert into analytics_salts (tenant_id, day, salt, created_at)
    select * from unnest(
      ${sql.array(
        offered.map(({ tenantId }) => tenantId),
        'int4',
      )},
      ${sql.array(
        offered.map(({ day }) => day),
        'date',
      )},
      ${sql.array(
        offered.map(({ salt }) => salt),
        'bytea',
      )},
      ${sql.array(
        offered.map(({ createdAt }) => createdAt.toISOString()),
        'timestamptz',
      )}
    )
    order by 1, 2
    -- Writing the row as it is makes Postgres return it.
    on conflict (tenant_id, day) do update set salt = analytics_salts.salt
    returning tenant_id, day, salt, created_at
  `);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    day: row.day,
    salt: row.salt,
    createdAt: row.created_at,
  }));
}
