import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';

/** What a turn leaves behind: nothing, more writes, or all of them because others are at it. */
export type Rest = 'none' | 'more' | 'locked';

export interface PromptTurnsOptions {
  /** Does the writes of a tenant that wait now. */
  take(tenantId: number): Promise<Rest>;
  /** A turn has failed: the queue has its writes, and counts how often they do. */
  onFailure(): void;
  log: Logger;
  constants: Pick<Constants, 'lockedTenantPause' | 'writesInParallel'>;
}

/** Turns that tenants get as soon as their writes are announced, a few tenants at a time. */
export interface PromptTurns {
  announce(tenantIds: readonly number[]): void;
  /** Begins no more turns and resolves when those under way have ended; harmless when repeated. */
  stop(): Promise<void>;
}

/**
 * The short way of a write: a worker that hears of it does it, without asking the queue for its job
 * first. Nothing depends on it. What is missed here (a notice, a worker that is killed, a turn that
 * fails) stays in the queue, whose workers look every `workerPollSeconds` seconds.
 */
export function createPromptTurns(options: PromptTurnsOptions): PromptTurns {
  const { take, onFailure, log, constants } = options;
  const waiting = new Set<number>();
  const underWay = new Map<number, Promise<void>>();
  /** Tenants that were locked the last time. */
  const lookedAgain = new Set<number>();
  let stopped = false;

  /** Once: whoever has the lock may have looked for writes before these came. */
  const lookAgain = (tenantId: number) => {
    if (lookedAgain.delete(tenantId)) return;
    lookedAgain.add(tenantId);
    setTimeout(() => announce([tenantId]), constants.lockedTenantPause).unref();
  };

  const run = async (tenantId: number) => {
    try {
      const rest = await take(tenantId);
      if (rest === 'more') waiting.add(tenantId);
      if (rest === 'locked') lookAgain(tenantId);
      else lookedAgain.delete(tenantId);
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
    for (const tenantId of tenantIds) waiting.add(tenantId);
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
