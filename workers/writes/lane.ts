/** Tenants that wait in a line for turns, in which some of them are served at the same time. */
export interface Lane {
  add(tenantId: number): void;
  /** Begins as many turns as there may be. */
  next(): void;
  /** Begins no more turns and resolves when those under way have ended. */
  stop(): Promise<void>;
}

export interface LaneOptions {
  turnsInParallel: number;
  tenantsPerTurn: number;
  /** Tenants that have a turn now, in any lane: none of them gets another one meanwhile. */
  busy: Set<number>;
  /** Whether a tenant shares no turn. */
  isSingle(tenantId: number): boolean;
  run(tenantIds: readonly number[]): Promise<void>;
  /** A turn has ended. */
  onEnd(): void;
}

export function createLane(options: LaneOptions): Lane {
  const { turnsInParallel, tenantsPerTurn, busy, isSingle, run, onEnd } = options;
  const waiting = new Set<number>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  /** The first of those in the line, and those after it that may share its turn. */
  const takeFirst = (): number[] => {
    const taken: number[] = [];
    for (const id of waiting) {
      // One that is announced while its turn is under way has another one after it.
      if (busy.has(id)) continue;
      if (isSingle(id) && taken.length > 0) continue;
      taken.push(id);
      if (taken.length >= tenantsPerTurn || isSingle(id)) break;
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
    next: () => {
      while (!stopped && underWay.size < turnsInParallel) {
        const tenantIds = takeFirst();
        if (tenantIds.length === 0) return;
        const turn = run(tenantIds).then(() => {
          for (const id of tenantIds) busy.delete(id);
          underWay.delete(turn);
          onEnd();
        });
        underWay.add(turn);
      }
    },
    stop: async () => {
      stopped = true;
      await Promise.all(underWay);
    },
  };
}
