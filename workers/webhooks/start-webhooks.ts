import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { queues, type WebhookJob } from '../../db/schema/queues.ts';
import {
  findDueDelivery,
  findWebhooksWaiting,
  noteAttempt,
  removeOldDeliveries,
  takeUrgentWebhooks,
  type WebhookKey,
} from '../../db/sql/webhooks.ts';
import { removeAll, startRounds } from '../housekeeping/rounds.ts';
import { makeDeliveries } from './make-deliveries.ts';
import { type SendOptions, sendMessage } from './send-message.ts';
import { type TellOptions, tellOwners } from './tell-owners.ts';

/** A receiver did not take a message: the queue tries again, after a pause that grows. */
class NotTakenError extends Error {
  override name = 'NotTakenError';
}

export interface WebhookOptions extends SendOptions, TellOptions {
  db: Database;
  boss: PgBoss;
  log: Logger;
  constants: Constants;
}

/**
 * Sends what waits for one receiver, in order, for some time at most. The next message waits until the
 * receiver has taken this one.
 *
 * @throws NotTakenError
 */
async function sendWaiting(options: WebhookOptions, key: WebhookJob): Promise<void> {
  const { db, constants } = options;
  const until = performance.now() + constants.webhookTurn;
  while (performance.now() < until) {
    const due = await findDueDelivery(db, key);
    if (!due) return;
    const attempt = await sendMessage(due, options);
    const isLast = attempt.error !== null && (due.failing_for ?? 0) > constants.webhookGiveUpAfter;
    await noteAttempt(db, key, due.delivery_id, attempt, isLast);
    if (isLast) {
      const told = { kind: 'webhookOff', path: '/admin/webhooks', about: due.url } as const;
      return tellOwners(options, due.tenant_id, told);
    }
    if (attempt.error !== null) throw new NotTakenError(attempt.error);
  }
}

function jobKey({ tenant_id, id }: WebhookKey): string {
  return `${tenant_id}/${id}`;
}

/** Deletes a job that waits for its next attempt, so that a new one is sent at once. */
async function dropRetry(boss: PgBoss, key: WebhookKey): Promise<void> {
  const found = await boss.findJobs(queues.webhooks, { key: jobKey(key), queued: true });
  const waiting = found.filter(({ state }) => state === 'retry').map(({ id }) => id);
  if (waiting.length > 0) await boss.deleteJob(queues.webhooks, waiting);
}

/**
 * Tells receivers of versions. Each worker looks for new versions every `webhookInterval`, makes
 * deliveries of them and sends a job for each receiver, which may have one at a time. Many receivers
 * are served at once, so that a slow one delays itself only.
 */
export async function startWebhooks(options: WebhookOptions): Promise<Running> {
  const { db, boss, log, constants } = options;
  await boss.work<WebhookJob>(
    queues.webhooks,
    {
      localConcurrency: constants.webhooksAtOnce,
      heartbeatRefreshSeconds: constants.jobHeartbeatSeconds,
      pollingIntervalSeconds: constants.webhookPollSeconds,
      notifyPollingIntervalSeconds: constants.webhookPollSeconds,
    },
    async ([job]) => {
      if (job) await sendWaiting(options, job.data);
    },
  );
  const start = (
    what: string,
    interval: number,
    round: Parameters<typeof startRounds>[0]['round'],
  ) => startRounds({ what, interval, firstAfter: 0, round, log });
  const rounds = [
    start('the webhooks', constants.webhookInterval, async (goesOn) => {
      await makeDeliveries(db, goesOn);
      for (const key of await takeUrgentWebhooks(db)) await dropRetry(boss, key);
      const waiting = await findWebhooksWaiting(db, constants.webhooksPerRound);
      if (waiting.length === 0) return;
      // A receiver that has a job already, perhaps one that waits to be tried again, gets no other.
      await boss.insert(
        queues.webhooks,
        waiting.map((key) => ({ data: key, singletonKey: jobKey(key) })),
      );
    }),
    start('the housekeeping of webhooks', constants.housekeepingInterval, (goesOn) =>
      removeAll(() => {
        return removeOldDeliveries(db, constants.deliveryDays, constants.removalBatch);
      }, goesOn),
    ),
  ];
  return stopOnce(async () => {
    await Promise.all(rounds.map((each) => each.stop()));
  });
}
