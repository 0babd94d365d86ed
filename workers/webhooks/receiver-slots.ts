import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce, withTimeout } from '../../db/runtime/running.ts';
import { giveBackWebhook, type TakenWebhook, takeWebhook } from '../../db/sql/webhook-turns.ts';
import type { WebhookKey } from '../../db/sql/webhooks.ts';

interface SlotsOptions {
  db: Database;
  /** Sends what waits for one receiver; false when the receiver did not take it, and pauses. */
  serve(key: WebhookKey, signal: AbortSignal): Promise<boolean>;
  log: Logger;
  constants: Constants;
}

/** Receivers that are served at the same time. */
interface ReceiverSlots extends Running {
  /** Takes receivers whose time has come, as many as there are free slots. */
  fill(): Promise<void>;
}

/** The names that `count` or more of the taken ones have. */
function full<T extends string | number>(names: readonly T[], count: number): T[] {
  const counts = new Map<T, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, taken]) => (taken < count ? [] : [name]));
}

/**
 * Serves receivers side by side: few of one restaurant, few at one host, and few that fail. One that
 * never answers keeps a slot until its time is over, so others of its restaurant wait for their slots
 * alone. A slot that is free takes the next receiver at once. `stop` ends what goes on for longer than
 * `drainTime`.
 */
export function createReceiverSlots({ db, serve, log, constants }: SlotsOptions): ReceiverSlots {
  const running = new Map<TakenWebhook, Promise<void>>();
  const stopping = new AbortController();
  setMaxListeners(constants.webhooksAtOnce, stopping.signal);
  let isStopped = false;
  let filling: Promise<void> | null = null;
  let asksAgain = false;

  const work = async (key: TakenWebhook) => {
    const isTaken = await serve(key, stopping.signal).catch((err) => {
      // A request that this worker ends because it stops.
      if (stopping.signal.aborted) return true;
      log.error({ err }, 'a webhook failed; it is tried again when its time has run out');
      return false;
    });
    if (isTaken) await giveBackWebhook(db, key);
  };
  const begin = (key: TakenWebhook) => {
    const done = work(key)
      .catch((err) => log.error({ err }, 'could not give a webhook back; its time will run out'))
      .finally(() => {
        running.delete(key);
        if (!stopping.signal.aborted) void fill();
      });
    running.set(key, done);
  };
  /** One at a time, so that the slots of each host are counted before the next one is taken. */
  const takeAll = async () => {
    while (!isStopped && running.size < constants.webhooksAtOnce) {
      const taken = [...running.keys()];
      const failing = taken.filter(({ is_failing }) => is_failing).length;
      const busy = {
        tenants: full(
          taken.map(({ tenant_id }) => tenant_id),
          constants.webhooksPerRestaurant,
        ),
        hosts: full(
          taken.map(({ host }) => host),
          constants.webhooksPerHost,
        ),
        noFailing: failing >= constants.failingWebhooksAtOnce,
      };
      const next = await takeWebhook(db, busy, constants);
      if (!next) return;
      begin(next);
    }
  };
  const takeUntilAsked = async () => {
    do {
      asksAgain = false;
      await takeAll().catch((err) => {
        log.error({ err }, 'could not take webhooks; it will be tried again');
      });
    } while (asksAgain);
    // In the same moment, so that the next call starts anew.
    filling = null;
  };
  const fill = (): Promise<void> => {
    asksAgain = true;
    filling ??= takeUntilAsked();
    return filling;
  };
  const stop = stopOnce(async () => {
    isStopped = true;
    await filling;
    const all = () => Promise.all(running.values()).then(() => undefined);
    await withTimeout(constants.drainTime, all(), () => undefined);
    stopping.abort();
    await all();
  });
  return { fill, ...stop };
}
