import { type Running, stopOnce } from '../../db/runtime/running.ts';

/**
 * A line of tenants with waiting writes, first come, first served. A turn serves the first of them, and
 * some turns run at the same time.
 */
interface Lane extends Running {
  /** Puts a tenant at the end of the line, unless it stands there already. */
  add(tenantId: number): void;
  /** Starts turns until `maxTurns` run or no tenant can have one. */
  startTurns(): void;
  /** Whether no tenant waits, and another turn could run. */
  isFree(): boolean;
}

interface LaneOptions {
  /** How many turns may run at the same time. */
  maxTurns: number;
  tenantsPerTurn: number;
  /** Tenants whose turn runs now, in any lane; a tenant has at most one turn at a time. */
  busy: Set<number>;
  /** Whether a tenant must have a turn without others. */
  needsOwnTurn(tenantId: number): boolean;
  /** Does the writes of a turn's tenants; it never rejects. */
  run(tenantIds: readonly number[]): Promise<void>;
  /** Called when a turn has ended. */
  onEnd(): void;
}

export function createLane(options: LaneOptions): Lane {
  const { maxTurns, tenantsPerTurn, busy, needsOwnTurn, run, onEnd } = options;
  const waiting = new Set<number>();
  const running = new Set<Promise<void>>();
  let stopped = false;

  /** Takes the tenants of the next turn out of the line. */
  const takeNext = (): number[] => {
    const taken: number[] = [];
    for (const id of waiting) {
      // It stays in the line until its running turn has ended.
      if (busy.has(id)) continue;
      if (needsOwnTurn(id) && taken.length > 0) continue;
      taken.push(id);
      if (taken.length >= tenantsPerTurn || needsOwnTurn(id)) break;
    }
    for (const id of taken) {
      waiting.delete(id);
      busy.add(id);
    }
    return taken;
  };

  return {
    add: (tenantId) => {
      waiting.add(tenantId);
    },
    startTurns: () => {
      while (!stopped && running.size < maxTurns) {
        const tenantIds = takeNext();
        if (tenantIds.length === 0) return;
        const turn = run(tenantIds).then(() => {
          for (const id of tenantIds) busy.delete(id);
          running.delete(turn);
          onEnd();
        });
        running.add(turn);
      }
    },
    isFree: () => waiting.size === 0 && running.size < maxTurns,
    // Starts no more turns, and waits for those under way.
    ...stopOnce(async () => {
      stopped = true;
      await Promise.all(running);
    }),
  };
}
