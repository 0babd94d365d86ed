import { type Db, sql } from '../../postgres/sql.ts';
import { signInKey } from './sign-in-key.ts';

/**
 * After a sign-in that succeeded: the account's attempts are forgotten, and the address gets back
 * the one that this sign-in was counted as.
 */
export async function forgiveSignInAttempts(
  db: Db,
  tenantId: number,
  account: string,
  address: string,
): Promise<void> {
  await db.run(sql.nothing`
    with forgotten as (
      delete from sign_in_attempts
      where tenant_id = ${tenantId} and kind = 'account' and key = ${signInKey(account)}
    )
    update sign_in_attempts set count = greatest(count - 1, 0)
    where tenant_id = ${tenantId} and kind = 'address' and key = ${signInKey(address)}
  `);
}
