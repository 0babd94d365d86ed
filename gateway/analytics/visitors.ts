import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';
import { findSalts, isForgotten, type Salt, saltKey } from '../../db/sql/events.ts';
import { unavailable } from '../http/errors.ts';
import { createBatcher } from '../runtime/batcher.ts';

/** Salts in one look-up; the others wait for the next one. */
const MAX_SALTS_PER_LOOK_UP = 1_000;

/** Turns what identifies a visitor into a number that means nothing beyond the tenant and the day. */
export type Visitors = ReturnType<typeof createVisitors>;

const SALT_BYTES = 32;

/**
 * The hash of a visitor: 64 bits in decimal. The parts are forgotten here: neither an address nor
 * a user agent ever reaches the database.
 */
export function hashVisitor(salt: Buffer, identity: string): string {
  return createHmac('sha256', salt).update(identity).digest().readBigInt64LE().toString();
}

/** @param now milliseconds since 1970 */
export function createVisitors(
  db: Db,
  now: () => number,
  constants: Pick<Constants, 'maxRememberedEntries' | 'readTimeout'>,
) {
  const saltCache = createEntryCache<string, Salt>(constants.maxRememberedEntries);

  const lookUp = createBatcher<{ tenantId: number; day: string }, Salt>(
    { maxItems: MAX_SALTS_PER_LOOK_UP, timeout: constants.readTimeout },
    async (wanted) => {
      // The statement may name each of them once.
      const offered = new Map(
        wanted.map(({ tenantId, day }) => {
          const salt = { tenantId, day, salt: randomBytes(SALT_BYTES), createdAt: new Date(now()) };
          return [saltKey(salt), salt];
        }),
      );
      const found = await findSalts(db, [...offered.values()]);
      const byKey = new Map(found.map((salt) => [saltKey(salt), salt]));
      return wanted.map((day) => byKey.get(saltKey(day)) as Salt);
    },
  );

  const find = async (tenantId: number, day: string): Promise<Salt> => {
    const key = saltKey({ tenantId, day });
    const held = saltCache.get(key);
    if (held && !isForgotten(held, now())) return held;
    const found = await lookUp({ tenantId, day }).catch(
      unavailable('could not look up the salts of visitors'),
    );
    saltCache.set(key, found);
    return found;
  };

  return {
    /** The salts of a tenant's days, by day. @throws UnavailableError when Postgres does not answer */
    salts: async (tenantId: number, days: Iterable<string>) => {
      const found = await Promise.all([...days].map((day) => find(tenantId, day)));
      return new Map(found.map(({ day, salt }) => [day, salt]));
    },
  };
}
