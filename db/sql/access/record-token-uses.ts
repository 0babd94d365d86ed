import { column, type Db, sql } from '../../postgres/sql.ts';
import type { TokenKey } from './find-tokens.ts';

export interface TokenUse extends TokenKey {
  usedAt: Date;
}

/**
 * Notes when tokens were last used; an older note never replaces a newer one. All gateways lock the
 * tokens in the same order, so that they never wait for each other in a circle.
 */
export async function recordTokenUses(db: Db, uses: readonly TokenUse[]): Promise<void> {
  await db.run(sql.nothing`
    with uses as (
      select * from unnest(
        ${column(uses, ({ tenantId }) => tenantId, 'int4')},
        ${column(uses, ({ id }) => id, 'int4')},
        ${column(uses, ({ usedAt }) => usedAt.toISOString(), 'timestamptz')}
      ) as u (tenant_id, id, used_at)
    ), locked as (
      select t.tenant_id, t.id, u.used_at
      from tokens t join uses u on t.tenant_id = u.tenant_id and t.id = u.id
      order by t.tenant_id, t.id for no key update of t
    )
    update tokens t set last_used_at = greatest(t.last_used_at, l.used_at)
    from locked l where t.tenant_id = l.tenant_id and t.id = l.id
  `);
}
