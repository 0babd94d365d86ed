import type { Database } from '../postgres/connection.ts';
import { type Db, isUniqueViolation } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import type { Home, OriginOf } from '../runtime/restaurant-origin.ts';
import { makeProof, proofRecord, type ShownHost } from '../schema/host.ts';
import {
  addHost,
  findHost,
  findMainHost,
  type Host,
  isHostTaken,
  verifyHost,
} from '../sql/hosts.ts';

// Host names of restaurants, for owners and operators.

/** Another restaurant is served at the host, or the host is below DOMAIN. */
export class HostTakenError extends OperatorError {
  override name = 'HostTakenError';
}

/** The restaurant has as many hosts as it may have. */
export class TooManyHostsError extends OperatorError {
  override name = 'TooManyHostsError';
}

/** A host as the API and the commands show it. */
export function showHost({ id, name, proof, verified_at, is_main, created_at }: Host): ShownHost {
  return {
    ...{ id, name, state: verified_at ? 'verified' : 'pending', is_main },
    record: proof === null ? null : proofRecord(name, proof),
    verified_at: verified_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

interface AskedHost {
  tenantId: number;
  name: string;
  /** Whether the operator sets it, so that it needs no proof. */
  isSet: boolean;
  /** DOMAIN: names below it are slugs. */
  domain: string;
}

/**
 * Adds a host to a restaurant; one that it has already is that one.
 *
 * @throws HostTakenError, TooManyHostsError
 */
export async function askForHost(
  database: Pick<Database, 'transaction'>,
  { tenantId, name, isSet, domain }: AskedHost,
): Promise<Host> {
  const taken = new HostTakenError(`Another restaurant is served at ${name}.`);
  if (name === domain || name.endsWith(`.${domain}`)) {
    throw new HostTakenError(`${name} is below ${domain}: the slug of a restaurant decides there.`);
  }
  try {
    return await database.transaction(async (db) => {
      if (await isHostTaken(db, tenantId, name)) throw taken;
      const added = await addHost(db, { tenantId, name, proof: isSet ? null : makeProof() });
      if (!added) {
        throw new TooManyHostsError(`A restaurant has at most ${constants.maxHosts} hosts.`);
      }
      return (await findHost(db, tenantId, added.id)) as Host;
    });
  } catch (error) {
    throw isUniqueViolation(error) ? taken : error;
  }
}

/** How a name's TXT records are asked for: the texts of all of them; none where there is no such name. */
export type ReadTexts = (name: string) => Promise<readonly string[]>;

/**
 * Serves a restaurant at a host when the record stands in DNS. Null when there is no such host.
 *
 * @throws HostTakenError when another restaurant came first
 */
export async function proveHost(
  db: Db,
  readTexts: ReadTexts,
  tenantId: number,
  id: number,
): Promise<Host | null> {
  const host = await findHost(db, tenantId, id);
  if (!host || host.verified_at || host.proof === null) return host;
  const record = proofRecord(host.name, host.proof);
  const texts = await readTexts(record.name);
  if (!texts.some((text) => text.trim() === record.value)) return host;
  try {
    await verifyHost(db, tenantId, id);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new HostTakenError(`Another restaurant is served at ${host.name}.`);
  }
  return findHost(db, tenantId, id);
}

/** The origin of a restaurant's pages, for links that no request of a guest asks for. */
export async function findOrigin(
  db: Db,
  originOf: OriginOf,
  { id, slug }: { id: number; slug: string },
): Promise<string> {
  const home: Home = { slug, host: await findMainHost(db, id) };
  return originOf(home);
}
