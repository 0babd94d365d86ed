import * as v from 'valibot';
import { column, type Db, sql } from '../../postgres/sql.ts';
import { type Salt, saltKey } from './salt.ts';

const saltSchema = v.object({
  tenant_id: v.number(),
  day: v.string(),
  salt: v.instance(Buffer),
  created_at: v.date(),
});

function saltOf(row: v.InferOutput<typeof saltSchema>): Salt {
  return { tenantId: row.tenant_id, day: row.day, salt: row.salt, createdAt: row.created_at };
}

function tenantsOf(salts: readonly Salt[]) {
  return column(salts, ({ tenantId }) => tenantId, 'int4');
}

function daysOf(salts: readonly Salt[]) {
  return column(salts, ({ day }) => day, 'date');
}

async function findStored(db: Db, wanted: readonly Salt[]): Promise<Salt[]> {
  const rows = await db.any(sql.type(saltSchema)`
    select tenant_id, day, salt, created_at
    from unnest(${tenantsOf(wanted)}, ${daysOf(wanted)}) as w (tenant_id, day)
    join analytics_salts using (tenant_id, day)
  `);
  return rows.map(saltOf);
}

/** Stores the salts that are still missing, and returns what is stored. */
async function store(db: Db, offered: readonly Salt[]): Promise<Salt[]> {
  const rows = await db.any(sql.type(saltSchema)`
    insert into analytics_salts (tenant_id, day, salt, created_at)
    select * from unnest(
      ${tenantsOf(offered)},
      ${daysOf(offered)},
      ${column(offered, ({ salt }) => salt, 'bytea')},
      ${column(offered, ({ createdAt }) => createdAt.toISOString(), 'timestamptz')}
    )
    order by 1, 2
    -- Writing the row as it is makes Postgres return it.
    on conflict (tenant_id, day) do update set salt = analytics_salts.salt
    returning tenant_id, day, salt, created_at
  `);
  return rows.map(saltOf);
}

/**
 * The salts of tenants' days. Where there is none yet the offered one is stored; the first
 * gateway decides for all.
 */
export async function findSalts(db: Db, offered: readonly Salt[]): Promise<Salt[]> {
  const stored = await findStored(db, offered);
  const known = new Set(stored.map(saltKey));
  const missing = offered.filter((salt) => !known.has(saltKey(salt)));
  return missing.length === 0 ? stored : [...stored, ...(await store(db, missing))];
}
