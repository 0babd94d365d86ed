import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import {
  type AttemptKey,
  countSignInAttempt,
} from '../../../db/sql/access/count-sign-in-attempt.ts';
import { forgiveSignInAttempts } from '../../../db/sql/access/forgive-sign-in-attempts.ts';
import { type ClientAddress, clientNetwork, networkText } from '../../http/client-address.ts';

/** Whose attempts are counted: the account that is named, and the client that names it. */
export interface Attempt {
  tenantId: number;
  account: string;
  address: string;
}

/** @param account in lower case */
export function describeAttempt(tenantId: number, account: string, client: ClientAddress): Attempt {
  return { tenantId, account, address: networkText(clientNetwork(client)) };
}

/** Milliseconds until the window is over when this attempt is one too many, else null. */
async function take(db: Db, key: AttemptKey, limit: number): Promise<number | null> {
  const { count, remaining } = await countSignInAttempt(db, key);
  return count <= limit ? null : remaining;
}

/**
 * Counts an attempt before its password is checked. Returns null when it may go on, else how long
 * the client has to wait, in milliseconds. Whether the account exists makes no difference.
 */
export async function admitAttempt(db: Db, attempt: Attempt): Promise<number | null> {
  const { tenantId, account, address } = attempt;
  const byAddress: AttemptKey = { tenantId, kind: 'address', name: address };
  const byAccount: AttemptKey = { tenantId, kind: 'account', name: account };
  return (
    (await take(db, byAddress, constants.maxAddressFailures)) ??
    (await take(db, byAccount, constants.maxAccountFailures))
  );
}

/** Takes a failed attempt back, when its client then gives the right password. */
export function forgiveAttempt(db: Db, attempt: Attempt): Promise<void> {
  return forgiveSignInAttempts(db, attempt.tenantId, attempt.account, attempt.address);
}
