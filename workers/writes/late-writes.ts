import type { Logger } from 'pino';

export interface LateWritesOptions {
  /** Those of the tenants whose writes have waited for `age` or longer. */
  find(tenantIds: readonly number[]): Promise<readonly number[]>;
  onLate(tenantIds: readonly number[]): void;
  log: Logger;
  /** In ms. */
  age: number;
}

/**
 * Watches tenants whose writes another worker does, and tells which of them have late writes: that
 * worker may have died, or have too much to do. One statement asks for all tenants.
 *
 * @returns a function that begins to watch a tenant
 */
export function watchLateWrites(options: LateWritesOptions): (tenantId: number) => void {
  const { find, onLate, log, age } = options;
  const watched = new Set<number>();
  const look = async () => {
    const tenantIds = [...watched];
    watched.clear();
    try {
      onLate(await find(tenantIds));
    } catch (error) {
      log.warn({ err: error }, 'could not look for late writes; the queue has them');
    }
  };
  return (tenantId) => {
    if (watched.size === 0) setTimeout(look, age).unref();
    watched.add(tenantId);
  };
}
