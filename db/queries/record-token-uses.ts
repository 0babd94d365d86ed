import { type Db, sql } from '../connection.ts';
import type { TokenKey } from './find-tokens.ts';

export interface TokenUse extends TokenKey {
  usedAt: Date;
}

/** Notes when tokens were last used; an older note never replaces a newer one. */
export async function recordTokenUses(db: Db, uses: readonly TokenUse[]): Promise<void> {
  await db.run(sql.typeAlias('nothing')`
    update tokens t set last_used_at = greatest(t.last_used_at, u.used_at)
    from unnest(
      ${sql.array(
        uses.map(({ tenantId }) => tenantId),
        'int4',
      )},
      ${sql.array(
        uses.map(({ id }) => id),
        'int4',
      )},
      ${sql.array(
        uses.map(({ usedAt }) => usedAt.toISOString()),
        'timestamptz',
      )}
    ) as u (tenant_id, id, used_at)
    where t.tenant_id = u.tenant_id and t.id = u.id
  `);
}
