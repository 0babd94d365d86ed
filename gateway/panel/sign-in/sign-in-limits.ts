import { createHash } from 'node:crypto';
import { bounds } from '../../../db/bounds.ts';
import type { Db } from '../../../db/postgres/connection.ts';
import { type AttemptKey, countSignInAttempt } from '../../../db/queries/count-sign-in-attempt.ts';
import { forgiveSignInAttempts } from '../../../db/queries/forgive-sign-in-attempts.ts';
import type { ClientAddress } from '../../http/client-address.ts';

/** Whose attempts are counted: the account that is named, and the client that names it. */
export interface Attempt {
  tenantId: number;
  account: Buffer;
  address: Buffer;
}

/** A household or an office has the other 64 bits of an IPv6 address to itself. */
const IPV6_NETWORK_BYTES = 8;

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** @param account in lower case */
export function describeAttempt(tenantId: number, account: string, client: ClientAddress): Attempt {
  const network = typeof client === 'string' ? client.slice(0, IPV6_NETWORK_BYTES) : `${client}`;
  return { tenantId, account: sha256(account), address: sha256(network) };
}

/** Milliseconds until the window is over when this attempt is one too many, else null. */
async function take(db: Db, key: AttemptKey, limit: number, now: Date): Promise<number | null> {
  const startedAfter = new Date(now.getTime() - bounds.signInWindow);
  const window = await countSignInAttempt(db, key, now, startedAfter);
  if (window.count <= limit) return null;
  return window.started_at.getTime() - startedAfter.getTime();
}

/**
 * Counts an attempt before its password is checked. Returns null when it may go on, else how long
 * the client has to wait, in milliseconds. Whether the account exists makes no difference.
 */
export async function admitAttempt(db: Db, attempt: Attempt, now: Date): Promise<number | null> {
  const { tenantId, account, address } = attempt;
  const byAddress: AttemptKey = { tenantId, kind: 'address', key: address };
  const byAccount: AttemptKey = { tenantId, kind: 'account', key: account };
  return (
    (await take(db, byAddress, bounds.maxAddressFailures, now)) ??
    (await take(db, byAccount, bounds.maxAccountFailures, now))
  );
}

/** What was counted against a client who then gave the right password is taken back. */
export function forgiveAttempt(db: Db, attempt: Attempt): Promise<void> {
  return forgiveSignInAttempts(db, attempt.tenantId, attempt.account, attempt.address);
}
