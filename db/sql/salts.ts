import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { DAY, dayOf } from '../runtime/day.ts';

/** The secret with which a tenant's visitors of one day are hashed. */
export interface Salt {
  tenantId: number;
  /** The restaurant's calendar day, `YYYY-MM-DD`. */
  day: string;
  salt: Buffer;
  createdAt: Date;
}

/** Names the salt of a tenant's day. */
export function saltKey({ tenantId, day }: Pick<Salt, 'tenantId' | 'day'>): string {
  return `${tenantId}/${day}`;
}

/**
 * The moments before which a salt is forgotten: one whose day ended everywhere on earth at least
 * half a day ago, unless events that arrived late brought it into being within the last day. An event
 * after that gets a new salt, also for an old day, so that no visitor is recognised any more.
 *
 * @param now milliseconds since 1970
 */
export function saltHorizon(now: number): { day: string; createdAt: Date } {
  return {
    day: dayOf(now - DAY),
    createdAt: new Date(now - DAY),
  };
}

/** Whether a salt is beyond the horizon; every process decides this alike. */
export function isForgotten(salt: Salt, now: number): boolean {
  const horizon = saltHorizon(now);
  return salt.day < horizon.day && salt.createdAt < horizon.createdAt;
}

const saltSchema = v.pipe(
  v.object({
    tenant_id: v.number(),
    day: v.string(),
    salt: v.instance(Buffer),
    created_at: v.date(),
  }),
  v.transform(({ tenant_id: tenantId, day, salt, created_at: createdAt }): Salt => {
    return { tenantId, day, salt, createdAt };
  }),
);

function findStored(db: Db, wanted: readonly Salt[]): Promise<readonly Salt[]> {
  return db.any(sql.type(saltSchema)`
    select tenant_id, day, salt, created_at
    from unnest(
      ${column(wanted, ({ tenantId }) => tenantId, 'int4')},
      ${column(wanted, ({ day }) => day, 'date')}
    ) as w (tenant_id, day)
    join analytics_salts using (tenant_id, day)
  `);
}

/** Stores the salts that are still missing, and returns what is stored. */
function store(db: Db, offered: readonly Salt[]): Promise<readonly Salt[]> {
  return db.any(sql.type(saltSchema)`
    insert into analytics_salts (tenant_id, day, salt, created_at)
    select * from unnest(
      ${column(offered, ({ tenantId }) => tenantId, 'int4')},
      ${column(offered, ({ day }) => day, 'date')},
      ${column(offered, ({ salt }) => salt, 'bytea')},
      ${column(offered, ({ createdAt }) => createdAt.toISOString(), 'timestamptz')}
    )
    order by 1, 2
    -- Writing the row as it is makes Postgres return it.
    on conflict (tenant_id, day) do update set salt = analytics_salts.salt
    returning tenant_id, day, salt, created_at
  `);
}

/**
 * The salts of tenants' days. Where there is none yet the offered one is stored; the first
 * gateway decides for all.
 */
export async function findSalts(db: Db, offered: readonly Salt[]): Promise<readonly Salt[]> {
  const stored = await findStored(db, offered);
  const known = new Set(stored.map(saltKey));
  const missing = offered.filter((salt) => !known.has(saltKey(salt)));
  return missing.length === 0 ? stored : [...stored, ...(await store(db, missing))];
}
