import type { Logger } from 'pino';
import { type Running, stopOnce } from '../../db/runtime/running.ts';

export interface LateWritesOptions {
  /** Those of the tenants whose writes have waited for `age` or longer. */
  find(tenantIds: readonly number[]): Promise<readonly number[]>;
  onLate(tenantIds: readonly number[]): void;
  log: Logger;
  /** In ms. */
  age: number;
}

/** Tenants whose writes another worker does. */
export interface LateWrites extends Running {
  watch(tenantId: number): void;
}

/**
 * Watches tenants whose writes another worker does, and tells which of them have late writes: that
 * worker may have died, or have too much to do. One statement asks for all tenants. Nothing is told
 * after `stop`.
 */
export function watchLateWrites(options: LateWritesOptions): LateWrites {
  const { find, onLate, log, age } = options;
  const watched = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;
  const look = async () => {
    const tenantIds = [...watched];
    watched.clear();
    try {
      const late = await find(tenantIds);
      if (!isStopped) onLate(late);
    } catch (error) {
      log.warn({ err: error }, 'could not look for late writes; the queue has them');
    }
  };
  return {
    watch: (tenantId) => {
      if (isStopped) return;
      if (watched.size === 0) {
        timer = setTimeout(() => {
          looking = look();
        }, age);
        timer.unref();
      }
      watched.add(tenantId);
    },
    ...stopOnce(async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    }),
  };
}
