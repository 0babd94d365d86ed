import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { DAY, dayOf } from '../../db/runtime/day.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';
import { type EventAsk, grantEvents, grantShares } from '../../db/sql/events.ts';
import type { ClientNetwork } from '../http/client-address.ts';
import { unavailable } from '../http/errors.ts';
import { createBatcher } from '../runtime/batcher.ts';

/** Whose events they are: a restaurant's. */
interface Owner {
  tenantId: number;
}

/** Or those of one client of it. */
interface Client extends Owner {
  address: ClientNetwork;
}

/** When there are new budgets, in ms since 1970. */
export function nextBudgets(now: number): number {
  return (Math.floor(now / DAY) + 1) * DAY;
}

/** The events that one gateway may still store without asking Postgres. */
interface Budget {
  day: string;
  left: number;
  /** Postgres has granted all that there is for this day. */
  isEmpty: boolean;
  asking: Promise<void> | undefined;
}

interface EventBudgetsOptions {
  db: Db;
  /** Events of one restaurant on one day. */
  perDay: number;
  /** Milliseconds since 1970. */
  now: () => number;
  constants: Pick<Constants, 'readTimeout'>;
}

interface Kind<O extends Owner> {
  keyOf(owner: O): string | number;
  /** Asks Postgres for parts of budgets: how many events each may have. */
  grant(asks: readonly (O & EventAsk)[]): Promise<readonly number[]>;
  /** Events that a gateway takes from Postgres at a time. */
  part: number;
  /** Events that a gateway takes before it asks for the first time. */
  free: number;
}

/** Bounds the events that are stored on a day in UTC. */
function createBudgets<O extends Owner>(
  { keyOf, grant, part, free }: Kind<O>,
  { now, constants: { readTimeout: timeout } }: EventBudgetsOptions,
) {
  const budgets = createEntryCache<string | number, Budget>(constants.maxRememberedEntries);
  const { maxBudgetsPerGrant: maxItems } = constants;
  const askTogether = createBatcher<O & EventAsk, number>({ maxItems, timeout }, grant);
  const find = (owner: O): Budget => {
    const day = dayOf(now());
    const key = keyOf(owner);
    const held = budgets.get(key);
    if (held?.day === day) return held;
    const budget: Budget = { day, left: free, isEmpty: false, asking: undefined };
    budgets.set(key, budget);
    return budget;
  };
  const ask = async (owner: O, budget: Budget, wanted: number) => {
    const count = Math.max(part, wanted);
    const granted = await askTogether({ ...owner, day: budget.day, count });
    budget.left += granted;
    budget.isEmpty = granted < count;
  };
  return {
    /** Whether there is no event left today, as far as this gateway knows. */
    isSpent: (owner: O) => {
      const { left, isEmpty } = find(owner);
      return left === 0 && isEmpty;
    },
    /**
     * Takes `count` events from the budget of today; false when fewer are left.
     *
     * @throws UnavailableError when Postgres must be asked and does not answer
     */
    take: async (owner: O, count: number) => {
      const budget = find(owner);
      while (budget.left < count && !budget.isEmpty) {
        budget.asking ??= ask(owner, budget, count - budget.left).finally(() => {
          budget.asking = undefined;
        });
        await budget.asking.catch(unavailable('could not ask for a budget of events'));
      }
      if (budget.left < count) return false;
      budget.left -= count;
      return true;
    },
  };
}

/**
 * The budgets of restaurants (`EVENTS_PER_DAY`). A gateway takes them from Postgres in parts of a
 * hundredth of a day. So few requests wait for it, and all gateways together never store more than
 * `perDay`. A gateway that ends loses the part that it has: each restart may cost a restaurant a
 * hundredth of its day, which no honest one needs.
 */
export function createEventBudgets(options: EventBudgetsOptions) {
  const { db, perDay } = options;
  const kind: Kind<Owner> = {
    keyOf: ({ tenantId }) => tenantId,
    grant: (asks) => grantEvents(db, asks, perDay),
    part: Math.ceil(perDay / constants.eventGrantOneIn),
    free: 0,
  };
  return createBudgets(kind, options);
}

interface EventSharesOptions extends EventBudgetsOptions {
  /** The name of a client in the database on a day, `YYYY-MM-DD`: 64 bits in decimal. */
  hashOf(client: Client, day: string): Promise<string>;
}

/**
 * The shares of clients in a restaurant's budget: one client may store a part of it (`eventShareOneIn`).
 * The first hundredth of a share costs no statement, for most guests need no more. So each further
 * gateway may let a client have a hundredth more than its share.
 */
export function createEventShares(options: EventSharesOptions) {
  const { db, perDay, hashOf } = options;
  const share = Math.ceil(perDay / constants.eventShareOneIn);
  const part = Math.ceil(share / constants.eventGrantOneIn);
  const kind: Kind<Client> = {
    keyOf: ({ tenantId, address }) => `${tenantId} ${address}`,
    grant: async (asks) => {
      const shares = await Promise.all(
        asks.map(async (ask) => ({ ...ask, client: await hashOf(ask, ask.day) })),
      );
      return grantShares(db, shares, share - part);
    },
    ...{ part, free: part },
  };
  return createBudgets(kind, options);
}
