import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';

/**
 * What a turn came to: all writes that waited are done, there are more of them, there were none, or
 * another worker has locked the tenant.
 */
export type TurnResult = 'done' | 'more' | 'idle' | 'locked';

export interface TenantTurnsOptions {
  /** Does the writes of a tenant that wait now. */
  take(tenantId: number): Promise<TurnResult>;
  /** A turn has failed: the queue has its writes, and counts how often they do. */
  onFailure(): void;
  log: Logger;
  constants: Pick<Constants, 'lockedTenantPause' | 'maxLockedTenantLooks' | 'writesInParallel'>;
}

/** Turns that tenants get as soon as their writes are announced, a few tenants at a time. */
export interface TenantTurns {
  announce(tenantIds: readonly number[]): void;
  /** Begins no more turns and resolves when those under way have ended; harmless when repeated. */
  stop(): Promise<void>;
}

/**
 * The short way of a write: a worker that hears of it does it, without asking the queue for its job
 * first. Nothing depends on it. What is missed here (a notice, a worker that is killed, a turn that
 * fails) stays in the queue, whose workers look every `workerPollSeconds` seconds.
 *
 * All workers hear of all writes. The one that did a tenant's last turn has its menu in memory and
 * begins at once. One that has found the tenant locked leaves it to that other worker: it looks later,
 * and takes the writes when they still wait, as the other may have died.
 */
export function createTenantTurns(options: TenantTurnsOptions): TenantTurns {
  const { take, onFailure, log, constants } = options;
  const waiting = new Set<number>();
  const underWay = new Map<number, Promise<void>>();
  /** Tenants of other workers, with how often in a row they were locked. */
  const others = new Map<number, number>();
  const lookingLater = new Set<number>();
  let stopped = false;

  const lookLater = (tenantId: number, timesLocked: number) => {
    if (lookingLater.has(tenantId)) return;
    lookingLater.add(tenantId);
    const look = () => {
      lookingLater.delete(tenantId);
      waiting.add(tenantId);
      next();
    };
    const times = Math.min(timesLocked, constants.maxLockedTenantLooks) - 1;
    setTimeout(look, constants.lockedTenantPause * 2 ** times).unref();
  };

  const onLocked = (tenantId: number) => {
    const times = (others.get(tenantId) ?? 0) + 1;
    others.set(tenantId, times);
    // The other worker may have looked for writes before these came. After that the queue has them.
    if (times < constants.maxLockedTenantLooks) lookLater(tenantId, times);
  };

  const run = async (tenantId: number) => {
    try {
      const left = await take(tenantId);
      if (left === 'more') waiting.add(tenantId);
      if (left === 'locked') onLocked(tenantId);
      else if (left !== 'idle') others.delete(tenantId);
      else if (others.has(tenantId)) others.set(tenantId, 1);
    } catch (error) {
      log.warn({ err: error, tenantId }, 'writes failed at once; the queue will try them again');
      onFailure();
    }
    underWay.delete(tenantId);
    next();
  };

  const next = () => {
    for (const tenantId of waiting) {
      if (stopped || underWay.size >= constants.writesInParallel) return;
      // One that is announced while its turn is under way has another one after it.
      if (underWay.has(tenantId)) continue;
      waiting.delete(tenantId);
      underWay.set(tenantId, run(tenantId));
    }
  };

  const announce = (tenantIds: readonly number[]) => {
    for (const tenantId of tenantIds) {
      const timesLocked = others.get(tenantId);
      if (timesLocked === undefined) waiting.add(tenantId);
      else lookLater(tenantId, timesLocked);
    }
    next();
  };

  return {
    announce,
    stop: async () => {
      stopped = true;
      await Promise.all(underWay.values());
    },
  };
}
