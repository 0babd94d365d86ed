import * as v from 'valibot';
import { type Db, sql } from '../postgres/connection.ts';

const takenSchema = v.object({ sealed: v.instance(Buffer), created_at: v.date() });

export interface Reveal {
  tenantId: number;
  sessionHash: Buffer;
  tokenId: number;
  /** A value that was sealed earlier is no longer shown. */
  sealedAfter: Date;
}

/**
 * Takes a new token's sealed value out of the database: of all who ask for it at once, one gets it
 * and the others get null, as does everybody later.
 */
export async function takeSealedToken(db: Db, reveal: Reveal): Promise<Buffer | null> {
  const taken = await db.maybeOne(sql.type(takenSchema)`
    with taken as (
      select tenant_id, session_hash, form_id, sealed, created_at from token_reveals
      where tenant_id = ${reveal.tenantId} and session_hash = ${sql.binary(reveal.sessionHash)}
        and token_id = ${reveal.tokenId} and sealed is not null
      for update
    )
    update token_reveals r set sealed = null from taken t
    where r.tenant_id = t.tenant_id and r.session_hash = t.session_hash and r.form_id = t.form_id
    returning t.sealed, t.created_at
  `);
  return taken && taken.created_at > reveal.sealedAfter ? taken.sealed : null;
}
