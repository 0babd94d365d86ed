import { type Db, isUniqueViolation } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import type { Home, OriginOf } from '../runtime/restaurant-origin.ts';
import { hostInput, makeProof, proofRecord, type ShownHost } from '../schema/host.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import {
  findHost,
  findMainHost,
  type Host,
  insertHost,
  isHostTaken,
  verifyHost,
} from '../sql/hosts.ts';
import type { RestaurantAction } from './action.ts';

// Host names of restaurants, for owners and operators.

/** A host as the API and the commands show it. */
export function showHost({ id, name, proof, verified_at, is_main, created_at }: Host): ShownHost {
  return {
    ...{ id, name, state: verified_at ? 'verified' : 'pending', is_main },
    record: proof === null ? null : proofRecord(name, proof),
    verified_at: verified_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

function taken(message: string): InvalidError {
  return new InvalidError({ name: [broken('unique')] }, message);
}

/** Makes of a unique violation that another restaurant is served at a host. */
function orTaken(name: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error) ? taken(`Another restaurant is served at ${name}.`) : error;
  };
}

/**
 * Adds a host to a restaurant; one that it has already is that one. An operator's is served at once,
 * an owner's once it is proved.
 */
export const addHost: RestaurantAction<typeof hostInput, ShownHost> = {
  input: hostInput,
  work: async (db, { tenantId, actor, domain }, { name }) => {
    if (name === domain || name.endsWith(`.${domain}`)) {
      throw taken(`${name} is below ${domain}: the slug of a restaurant decides there.`);
    }
    if (await isHostTaken(db, tenantId, name)) {
      throw taken(`Another restaurant is served at ${name}.`);
    }
    const proof = actor.kind === 'operator' ? null : makeProof();
    const added = await insertHost(db, { tenantId, name, proof }).catch(orTaken(name));
    if (!added) {
      const max = constants.maxHosts;
      const errors = { name: [broken('maxItems', { max })] };
      throw new InvalidError(errors, `A restaurant has at most ${max} hosts.`);
    }
    return showHost((await findHost(db, tenantId, added.id)) as Host);
  },
};

/** How a name's TXT records are asked for: the texts of all of them; none where there is no such name. */
export type ReadTexts = (name: string) => Promise<readonly string[]>;

/**
 * Serves a restaurant at a host when the record stands in DNS. Null when there is no such host.
 *
 * @throws InvalidError when the record is not there, and when another restaurant came first
 */
export async function proveHost(db: Db, readTexts: ReadTexts, tenantId: number, id: number) {
  const host = await findHost(db, tenantId, id);
  if (!host || host.verified_at || host.proof === null) return host;
  const record = proofRecord(host.name, host.proof);
  const texts = await readTexts(record.name);
  if (!texts.some((text) => text.trim() === record.value)) {
    const { name, value } = record;
    throw new InvalidError({ name: [broken('hostRecord', { name, value })] });
  }
  await verifyHost(db, tenantId, id).catch(orTaken(host.name));
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
