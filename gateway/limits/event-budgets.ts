import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { DAY, dayOf } from '../../db/runtime/day.ts';
import { createEntryCache } from '../../db/runtime/entry-cache.ts';
import { type EventAsk, grantEvents } from '../../db/sql/event-budgets.ts';
import { createBatcher } from '../batcher.ts';
import { unavailable } from '../http/errors.ts';

/** Bounds the events that a restaurant stores on a day in UTC (`EVENTS_PER_DAY`). */
export interface EventBudgets {
  /** Whether the restaurant has no event left today, as far as this gateway knows. */
  isSpent(tenantId: number): boolean;
  /**
   * Takes `count` events from the restaurant's budget of today; false when it has fewer left.
   *
   * @throws UnavailableError when Postgres must be asked and does not answer
   */
  take(tenantId: number, count: number): Promise<boolean>;
  /** When there are new budgets, in ms since 1970. */
  nextDay(): number;
}

/** The events that one gateway may still store for a restaurant without asking Postgres. */
interface Budget {
  day: string;
  left: number;
  /** Postgres has granted all that there is for this day. */
  isEmpty: boolean;
  asking: Promise<void> | undefined;
}

export interface EventBudgetsOptions {
  db: Db;
  /** Events of one restaurant on one day. */
  perDay: number;
  /** Milliseconds since 1970. */
  now: () => number;
  constants: Pick<
    Constants,
    'eventGrantOneIn' | 'maxRememberedEntries' | 'maxBudgetsPerGrant' | 'readTimeout'
  >;
}

/**
 * A gateway takes budgets from Postgres in parts of a hundredth of a day. So few requests wait for
 * it, and all gateways together never store more than `perDay`. A gateway that ends loses the part
 * that it has: each restart may cost a restaurant a hundredth of its day, which no honest one needs.
 */
export function createEventBudgets(options: EventBudgetsOptions): EventBudgets {
  const { db, perDay, now, constants } = options;
  const budgets = createEntryCache<number, Budget>(constants.maxRememberedEntries);
  const part = Math.ceil(perDay / constants.eventGrantOneIn);

  const grant = createBatcher<EventAsk, number>(
    { maxItems: constants.maxBudgetsPerGrant, timeout: constants.readTimeout },
    (asks) => grantEvents(db, asks, perDay),
  );
  const find = (tenantId: number): Budget => {
    const day = dayOf(now());
    const held = budgets.get(tenantId);
    if (held?.day === day) return held;
    const budget: Budget = { day, left: 0, isEmpty: false, asking: undefined };
    budgets.set(tenantId, budget);
    return budget;
  };
  const ask = async (tenantId: number, budget: Budget, wanted: number) => {
    const count = Math.max(part, wanted);
    const granted = await grant({ tenantId, day: budget.day, count });
    budget.left += granted;
    budget.isEmpty = granted < count;
  };

  return {
    isSpent: (tenantId) => {
      const { left, isEmpty } = find(tenantId);
      return left === 0 && isEmpty;
    },
    take: async (tenantId, count) => {
      const budget = find(tenantId);
      while (budget.left < count && !budget.isEmpty) {
        budget.asking ??= ask(tenantId, budget, count - budget.left).finally(() => {
          budget.asking = undefined;
        });
        await budget.asking.catch(unavailable('could not ask for a budget of events'));
      }
      if (budget.left < count) return false;
      budget.left -= count;
      return true;
    },
    nextDay: () => (Math.floor(now() / DAY) + 1) * DAY,
  };
}
