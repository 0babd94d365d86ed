/** A tenant had no turn, by no fault of its writes: another worker has it, or this one stops. */
export class NotServedError extends Error {
  override name = 'NotServedError';
}

/** Is told when a tenant has been served: the error of its turn, or null. */
export type Asker = (error: unknown) => void;

/** Those who wait until a tenant has been served. */
export interface Askers {
  /** Those who came before the turn that begins now. */
  take(tenantId: number): readonly Asker[];
  add(tenantId: number, askers: readonly Asker[]): void;
  /** Tells all of them that there will be no turn. */
  dismiss(): void;
}

export function createAskers(): Askers {
  const all = new Map<number, readonly Asker[]>();
  return {
    take: (tenantId) => {
      const taken = all.get(tenantId) ?? [];
      all.delete(tenantId);
      return taken;
    },
    add: (tenantId, askers) => {
      if (askers.length > 0) all.set(tenantId, [...askers, ...(all.get(tenantId) ?? [])]);
    },
    dismiss: () => {
      const error = new NotServedError('the worker stops');
      for (const asker of [...all.values()].flat()) asker(error);
      all.clear();
    },
  };
}
