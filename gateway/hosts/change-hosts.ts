import {
  askForHost,
  HostTakenError,
  proveHost,
  type ReadTexts,
  TooManyHostsError,
} from '../../db/platform/hosts.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { proofRecord } from '../../db/schema/host.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import type { Host } from '../../db/sql/hosts.ts';
import { InvalidError } from '../http/errors.ts';

/** Whose hosts are changed, and what it takes. */
export interface HostsOf {
  db: Database;
  tenantId: number;
  readTexts: ReadTexts;
  /** DOMAIN. */
  domain: string;
}

function explain(error: unknown): never {
  if (error instanceof HostTakenError) throw new InvalidError({ name: [broken('unique')] });
  if (error instanceof TooManyHostsError) {
    throw new InvalidError({ name: [broken('maxItems', { max: constants.maxHosts })] });
  }
  throw error;
}

/**
 * Asks for a host, which is served once it is proved.
 *
 * @throws InvalidError when another restaurant is served there, and when there are too many
 */
export function requestHost({ db, tenantId, domain }: HostsOf, name: string): Promise<Host> {
  return askForHost(db, { tenantId, name, isSet: false, domain }).catch(explain);
}

/**
 * Looks for the record of a host. Null when there is no such host.
 *
 * @throws InvalidError when the record is not there, and when another restaurant came first
 */
export async function checkHost(
  { db, tenantId, readTexts }: HostsOf,
  id: number,
): Promise<Host | null> {
  const host = await proveHost(db, readTexts, tenantId, id).catch(explain);
  if (!host || host.verified_at || host.proof === null) return host;
  const { name, value } = proofRecord(host.name, host.proof);
  throw new InvalidError({ name: [broken('hostRecord', { name, value })] });
}
