import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';

/**
 * Forgets the sealed values of tokens that were made more than `revealTtl` ago and are shown no more,
 * at most `removalBatch`, and returns how many they were.
 */
export function forgetSealedTokens(db: Db): Promise<number> {
  const seconds = constants.revealTtl / 1_000;
  return db.run(sql.typeAlias('nothing')`
    with old as (
      select tenant_id, session_hash, form_id from token_reveals
      where sealed is not null and created_at < now() - make_interval(secs => ${seconds})
      order by created_at limit ${constants.removalBatch} for update skip locked
    )
    update token_reveals r set sealed = null from old
    where r.tenant_id = old.tenant_id and r.session_hash = old.session_hash
      and r.form_id = old.form_id
  `);
}
