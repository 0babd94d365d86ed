import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { type AttemptKey, countSignInAttempt } from '../../../db/sql/sign-in-attempts.ts';

/** Milliseconds until the window is over when this attempt is one too many, else null. */
async function take(db: Db, key: AttemptKey, limit: number): Promise<number | null> {
  const { count, remaining } = await countSignInAttempt(db, key);
  return count <= limit ? null : remaining;
}

/** The same for attempts that name no account: they are counted by the client's network alone. */
export function takeAddress(db: Db, tenantId: number, address: string): Promise<number | null> {
  return take(db, { tenantId, kind: 'address', name: address }, constants.maxAddressFailures);
}

/**
 * Counts an attempt before its password is checked. Returns null when it may go on, else how long
 * the client has to wait, in milliseconds. Whether the account exists makes no difference.
 *
 * @param account the one that is named, in lower case
 * @param address the network of the client that names it
 */
export async function admitAttempt(
  db: Db,
  tenantId: number,
  account: string,
  address: string,
): Promise<number | null> {
  const byAccount: AttemptKey = { tenantId, kind: 'account', name: account };
  return (
    (await takeAddress(db, tenantId, address)) ??
    (await take(db, byAccount, constants.maxAccountFailures))
  );
}
