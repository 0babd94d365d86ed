import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import type { Claims } from './claims.ts';
import { createLane } from './lane.ts';
import { watchLateWrites } from './late-writes.ts';

/** The result of a tenant's turn. */
export interface TurnResult {
  /** `done`: no write waits any more. `more`: some still wait. `idle`: there was none. */
  state: 'done' | 'more' | 'idle';
  /** Whether the tenant's next turn takes long, so that it must not hold up other tenants. */
  isLong: boolean;
}

export interface TenantTurnsOptions {
  /**
   * Does the writes of tenants that wait now. A tenant that another worker has locked is missing in the
   * answer. When it fails, nothing was done.
   *
   * @param isAlone whether the tenant may do what takes long
   */
  take(tenantIds: readonly number[], isAlone: boolean): Promise<ReadonlyMap<number, TurnResult>>;
  /** Those of the tenants whose writes have waited for `lateWriteAge` or longer. */
  findLate(tenantIds: readonly number[]): Promise<readonly number[]>;
  claims: Claims;
  /** A turn has failed: the queue has its writes, and counts how often they do. */
  onFailure(): void;
  log: Logger;
  constants: Pick<
    Constants,
    'lateWriteAge' | 'turnsInParallel' | 'longTurnsInParallel' | 'tenantsPerTurn'
  >;
}

/** Turns that tenants get as soon as their writes are announced, many tenants at a time. */
export interface TenantTurns extends Running {
  announce(tenantIds: readonly number[]): void;
}

/**
 * The fast path of a write: a worker that hears of it does it, without asking the queue for its job
 * first. Correctness does not depend on it. A write that it misses stays in the queue, whose workers
 * look every `workerPollSeconds` seconds: after a lost notice, a killed worker or a failed turn.
 *
 * Tenants stand in a line. A turn takes some of them, does a bounded number of their writes, and
 * commits. A tenant that has more goes to the end of the line. A tenant whose writes take long, because
 * its menu is large or it sends whole menus, stands in another line, so that no other waits for it.
 *
 * All workers hear of all writes, and `claims` says which of them does them at once. The others only
 * check now and then whether a tenant's writes are late.
 */
export function createTenantTurns(options: TenantTurnsOptions): TenantTurns {
  const { take, findLate, claims, onFailure, log, constants } = options;
  const longTenants = new Set<number>();
  /** Tenants that have failed together with others. */
  const suspects = new Set<number>();
  const busy = new Set<number>();

  const enqueue = (tenantId: number) => {
    (longTenants.has(tenantId) ? long : short).add(tenantId);
  };
  const startTurns = () => {
    short.startTurns();
    long.startTurns();
  };
  const { watch, stop: stopWatch } = watchLateWrites({
    find: findLate,
    onLate: (tenantIds) => {
      for (const tenantId of tenantIds) {
        claims.claim(tenantId);
        enqueue(tenantId);
      }
      startTurns();
    },
    log,
    age: constants.lateWriteAge,
  });

  const settle = (tenantId: number, result: TurnResult | undefined) => {
    suspects.delete(tenantId);
    if (!result) {
      claims.onTaken(tenantId);
      // The other worker may have looked for writes before these came.
      watch(tenantId);
      return;
    }
    longTenants[result.isLong ? 'add' : 'delete'](tenantId);
    if (result.state === 'more') enqueue(tenantId);
    if (result.state === 'idle') claims.onNone(tenantId);
    else claims.onDone(tenantId);
  };
  const onError = (error: unknown, tenantIds: readonly number[]) => {
    const [tenantId = 0, ...others] = tenantIds;
    if (others.length > 0) {
      // One of them failed, and nothing was done: each is tried again without the others.
      for (const id of tenantIds) {
        suspects.add(id);
        enqueue(id);
      }
      return;
    }
    suspects.delete(tenantId);
    log.warn({ err: error, tenantId }, 'writes failed at once; the queue will try them again');
    onFailure();
  };

  const createTurns = (isAlone: boolean, maxTurns: number, tenantsPerTurn: number) =>
    createLane({
      ...{ maxTurns, tenantsPerTurn, busy },
      needsOwnTurn: (tenantId) => suspects.has(tenantId),
      run: (tenantIds) =>
        take(tenantIds, isAlone).then(
          (results) => {
            for (const tenantId of tenantIds) settle(tenantId, results.get(tenantId));
          },
          (error) => onError(error, tenantIds),
        ),
      onEnd: () => startTurns(),
    });
  const short = createTurns(false, constants.turnsInParallel, constants.tenantsPerTurn);
  const long = createTurns(true, constants.longTurnsInParallel, 1);

  return {
    announce: (tenantIds) => {
      for (const tenantId of tenantIds) {
        if (claims.isOwn(tenantId)) enqueue(tenantId);
        else watch(tenantId);
      }
      startTurns();
    },
    // Starts no more turns, and waits for those under way.
    ...stopOnce(async () => {
      await Promise.all([stopWatch(), short.stop(), long.stop()]);
    }),
  };
}
