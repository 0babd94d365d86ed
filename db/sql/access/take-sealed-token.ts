import * as v from 'valibot';
import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';

const takenSchema = v.object({ sealed: v.instance(Buffer) });

export interface Reveal {
  tenantId: number;
  sessionHash: Buffer;
  tokenId: number;
}

/**
 * Takes a new token's sealed value to show it: of all who ask for it at once, one gets it and the
 * others get null. Later calls get null, too, unless the session sends the token's form again. After
 * `revealTtl` all calls get null.
 */
export async function takeSealedToken(db: Db, reveal: Reveal): Promise<Buffer | null> {
  const taken = await db.maybeOne(sql.type(takenSchema)`
    update token_reveals set shown = true
    where tenant_id = ${reveal.tenantId} and session_hash = ${sql.binary(reveal.sessionHash)}
      and token_id = ${reveal.tokenId} and sealed is not null and not shown
      and created_at > now() - make_interval(secs => ${constants.revealTtl / 1_000})
    returning sealed
  `);
  return taken?.sealed ?? null;
}
