import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { createLane } from './lane.ts';

/** A tenant had no turn, by no fault of its writes: another worker has it, or this one stops. */
export class NotServedError extends Error {
  override name = 'NotServedError';
}

/** Is told when a tenant has been served: the error of its turn, or null. */
type Asker = (error: unknown) => void;

/** Those who wait until a tenant has been served. */
interface Askers {
  /** Those who came before the turn that begins now. */
  take(tenantId: number): readonly Asker[];
  add(tenantId: number, askers: readonly Asker[]): void;
  /** Tells all of them that there will be no turn. */
  dismiss(): void;
}

function createAskers(): Askers {
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

export interface TurnResult {
  /** `done`: no write waits any more. `more`: some still wait. `idle`: there was none. */
  state: 'done' | 'more' | 'idle';
  /** Whether the tenant's next turn takes long, so that it must not hold up other tenants. */
  isLong: boolean;
}

interface TenantTurnsOptions {
  /**
   * Does the writes of tenants that wait now. A tenant that another worker has locked is missing in the
   * answer. When it fails, nothing was done.
   *
   * @param isAlone whether the tenant may do what takes long
   */
  take(tenantIds: readonly number[], isAlone: boolean): Promise<ReadonlyMap<number, TurnResult>>;
  log: Logger;
  constants: Pick<
    Constants,
    'turnsInParallel' | 'longTurnsInParallel' | 'tenantsPerTurn' | 'lockedTenantPause'
  >;
}

/** Turns that tenants get as soon as their writes are announced, many tenants at a time. */
export interface TenantTurns extends Running {
  announce(tenantIds: readonly number[]): void;
  /** They have late writes. A locked one is left to the worker that has it, and to the next look. */
  onLate(tenantIds: readonly number[]): void;
  /** Resolves when no tenant waits for a short turn and another one could run, or when turns stop. */
  whenFree(): Promise<void>;
  /**
   * Resolves when a tenant has had turns until none of its writes waited.
   *
   * @param isSuspect whether its turns are to be without other tenants from the first one on
   * @throws NotServedError, and the error of a turn
   */
  serve(tenantId: number, isSuspect: boolean): Promise<void>;
}

/** The state of all turns, which the end of one changes. */
interface Line {
  askers: Askers;
  /** Tenants whose next turn takes long. */
  longTenants: Set<number>;
  /** Tenants that have failed together with others. */
  suspects: Set<number>;
  enqueue(tenantId: number): void;
  /** Tenants that are left to the next look for late writes when they are locked. */
  leftToLooks: Set<number>;
  /** Gives the tenant a turn some time later. */
  tryAgain(tenantId: number): void;
  log: Logger;
}

/** A turn of a tenant has ended; no result: another worker has locked the tenant. */
function settle(
  line: Line,
  tenantId: number,
  asked: readonly Asker[],
  result: TurnResult | undefined,
): void {
  const { askers, longTenants, suspects, leftToLooks, enqueue, tryAgain } = line;
  suspects.delete(tenantId);
  if (!result) {
    // The other one may have looked for writes before these came. A second time they will be late.
    if (!leftToLooks.delete(tenantId)) tryAgain(tenantId);
    for (const asker of asked) asker(new NotServedError('another worker has the tenant'));
    return;
  }
  leftToLooks.delete(tenantId);
  longTenants[result.isLong ? 'add' : 'delete'](tenantId);
  if (result.state !== 'more') {
    for (const asker of asked) asker(null);
    return;
  }
  askers.add(tenantId, asked);
  enqueue(tenantId);
}

/** A turn has failed, and nothing was done. When it had several tenants, each is tried again alone. */
function onError(
  { askers, suspects, enqueue, log }: Line,
  error: unknown,
  tenants: ReadonlyMap<number, readonly Asker[]>,
): void {
  const isShared = tenants.size > 1;
  for (const [tenantId, asked] of tenants) {
    if (isShared) {
      suspects.add(tenantId);
      askers.add(tenantId, asked);
      enqueue(tenantId);
    } else {
      suspects.delete(tenantId);
      log.warn({ err: error, tenantId }, 'writes failed; the queue will try them again');
      for (const asker of asked) asker(error);
    }
  }
}

/**
 * A worker that hears of a write does it, without asking the queue for the tenant's job first.
 * Correctness does not depend on that. A job asks for a turn, too, when its time has come. So a
 * write is done whose notice was lost. After a killed worker or a failed turn, the queue hands the
 * job out again.
 *
 * Tenants stand in a line. A turn takes some of them, does a bounded number of their writes, and
 * commits. A tenant that has more goes to the end of the line. A tenant whose writes take long, because
 * its menu is large or it sends whole menus, stands in another line, so that no other waits for it.
 */
export function createTenantTurns(options: TenantTurnsOptions): TenantTurns {
  const { take, log, constants } = options;
  const askers = createAskers();
  let isStopped = false;
  const longTenants = new Set<number>();
  const suspects = new Set<number>();
  const busy = new Set<number>();
  let onFree: (() => void)[] = [];

  const enqueue = (tenantId: number) => {
    (longTenants.has(tenantId) ? long : short).add(tenantId);
  };
  const startTurns = () => {
    short.startTurns();
    long.startTurns();
    if (short.isFree()) tellFree();
  };
  const tellFree = () => {
    for (const tell of onFree) tell();
    onFree = [];
  };
  const announce = (tenantIds: readonly number[]) => {
    for (const tenantId of tenantIds) enqueue(tenantId);
    startTurns();
  };

  const leftToLooks = new Set<number>();
  const onLate = (tenantIds: readonly number[]) => {
    for (const tenantId of tenantIds) leftToLooks.add(tenantId);
    announce(tenantIds);
  };
  const tryAgain = (tenantId: number) => {
    setTimeout(() => onLate([tenantId]), constants.lockedTenantPause).unref();
  };

  const line: Line = { askers, longTenants, suspects, leftToLooks, enqueue, tryAgain, log };
  const run = (tenantIds: readonly number[], isAlone: boolean) => {
    const tenants = new Map(tenantIds.map((id) => [id, askers.take(id)]));
    return take(tenantIds, isAlone).then(
      (results) => {
        for (const [id, asked] of tenants) settle(line, id, asked, results.get(id));
      },
      (error) => onError(line, error, tenants),
    );
  };

  const createTurns = (isAlone: boolean, maxTurns: number, tenantsPerTurn: number) =>
    createLane({
      ...{ maxTurns, tenantsPerTurn, busy },
      needsOwnTurn: (tenantId) => suspects.has(tenantId),
      run: (tenantIds) => run(tenantIds, isAlone),
      onEnd: () => startTurns(),
    });
  const short = createTurns(false, constants.turnsInParallel, constants.tenantsPerTurn);
  const long = createTurns(true, constants.longTurnsInParallel, 1);

  return {
    announce,
    onLate,
    whenFree: async () => {
      if (isStopped || short.isFree()) return;
      await new Promise<void>((resolve) => onFree.push(resolve));
    },
    serve: async (tenantId, isSuspect) => {
      if (isStopped) throw new NotServedError('the worker stops');
      await new Promise<void>((resolve, reject) => {
        askers.add(tenantId, [(error) => (error === null ? resolve() : reject(error))]);
        if (isSuspect) suspects.add(tenantId);
        enqueue(tenantId);
        startTurns();
      });
    },
    // Starts no more turns, and waits for those under way.
    ...stopOnce(async () => {
      isStopped = true;
      tellFree();
      await Promise.all([short.stop(), long.stop()]);
      askers.dismiss();
    }),
  };
}
