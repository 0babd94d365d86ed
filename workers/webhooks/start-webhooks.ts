import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { Webhook } from 'standardwebhooks';
import type { Database } from '../../db/postgres/connection.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { asError } from '../../db/runtime/operator-error.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { queues, type WebhookJob } from '../../db/schema/queues.ts';
import { readForward, waitUntilSafe } from '../../db/sql/history.ts';
import {
  addDeliveries,
  advanceWebhook,
  type DeliveryAttempt,
  type DueDelivery,
  findDueDelivery,
  findWebhooksBehind,
  findWebhooksWaiting,
  lockWebhook,
  noteAttempt,
  removeOldDeliveries,
  takeUrgentWebhooks,
  type WebhookKey,
} from '../../db/sql/webhooks.ts';
import { type GoesOn, removeAll, startRounds } from '../housekeeping/rounds.ts';
import { type OutgoingOptions, sendRequest } from '../outgoing/send-request.ts';
import { createLanes } from './lanes.ts';
import { messagesOf, type TellOptions, tellOwners } from './tell.ts';

/** The class of the answers by which a receiver takes a message, 2xx. */
const TAKEN = 2;

export interface SendOptions extends OutgoingOptions {
  constants: Pick<Constants, 'webhookTimeout'>;
}

/** The headers of Standard Webhooks; after a change of the secret both sign. */
function signedHeaders({ message_id, payload, secret, former_secret }: DueDelivery, at: Date) {
  const secrets = former_secret === null ? [secret] : [secret, former_secret];
  const signatures = secrets.map((one) => new Webhook(one).sign(message_id, at, payload));
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(payload)),
    'User-Agent': 'Lavagna-Webhooks/1',
    'webhook-id': message_id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

/** Sends a message once; redirects are not followed. Only an answer of 2xx counts as taken. */
export async function sendMessage(
  due: DueDelivery,
  options: SendOptions,
): Promise<DeliveryAttempt> {
  try {
    const { payload } = due;
    const headers = signedHeaders(due, new Date());
    const timeout = options.constants.webhookTimeout;
    // The answer's body says nothing to us.
    const message = { method: 'POST', headers, payload, timeout, maxBytes: 0 } as const;
    const { status } = await sendRequest(new URL(due.url), message, options);
    const isTaken = Math.floor(status / 100) === TAKEN;
    return { status, error: isTaken ? null : `answered ${status}` };
  } catch (error) {
    // This worker stops, which is no fault of the receiver.
    if (options.signal?.aborted) throw error;
    const { name, message, code } = asError(error);
    const isLate = name === 'AbortError' || name === 'TimeoutError';
    const text = isLate ? `no answer within ${options.constants.webhookTimeout} ms` : message;
    return { status: null, error: (text || code || 'unknown').slice(0, 300) };
  }
}

/** A receiver did not take a message: the queue tries again, after a pause that grows. */
class NotTakenError extends Error {
  override name = 'NotTakenError';
}

interface WebhookOptions extends SendOptions, TellOptions {
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
  while (performance.now() < until && !options.signal?.aborted) {
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
export function startWebhooks(options: WebhookOptions): Running {
  const { db, boss, log, constants } = options;
  const serve = (key: WebhookJob, signal: AbortSignal) => {
    return sendWaiting({ ...options, signal }, key);
  };
  const lanes = createLanes({ boss, serve, log, constants });
  const start = (
    what: string,
    interval: number,
    round: Parameters<typeof startRounds>[0]['round'],
  ) => startRounds({ what, interval, firstAfter: 0, round, log });
  const rounds = [
    start('the webhooks', constants.webhookInterval, async (goesOn) => {
      await makeDeliveries(db, goesOn);
      const urgent = await takeUrgentWebhooks(db);
      const { webhooksPerRound, webhookStalledAfter, stalledWebhooksPerRound } = constants;
      const waiting = await findWebhooksWaiting(db, webhooksPerRound, webhookStalledAfter);
      // The queue counts a killed worker as a failure, and each next attempt waits longer.
      const stalled = waiting.filter(({ is_stalled }) => is_stalled);
      const hurried = [...urgent, ...stalled.slice(0, stalledWebhooksPerRound)];
      for (const key of hurried) await dropRetry(boss, key);
      // A receiver that has a job already, perhaps one that waits to be tried again, gets no other.
      const jobs = waiting.map(({ is_stalled: _, host, ...key }) => ({
        ...{ data: key, singletonKey: jobKey(key) },
        ...(host !== null && { group: { id: host } }),
      }));
      if (jobs.length > 0) await boss.insert(queues.webhooks, jobs);
      void lanes.fill();
    }),
    start('the housekeeping of webhooks', constants.housekeepingInterval, (goesOn) =>
      removeAll(() => {
        return removeOldDeliveries(db, constants.deliveryDays, constants.removalBatch);
      }, goesOn),
    ),
  ];
  return stopOnce(async () => {
    await Promise.all(rounds.map((each) => each.stop()));
    await lanes.stop();
  });
}

/** Makes deliveries of the next versions for one webhook; how many versions there were. */
function makeSome(db: Database, key: WebhookKey): Promise<number> {
  return db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key);
    if (!webhook) return 0;
    const after = webhook.version;
    const entries = await readForward(tx, key.tenant_id, { after }, constants.webhookVersions);
    const byVersion = groupBy(entries, ({ head }) => head.version);
    const receiver = { ...key, ...webhook };
    const messages = [...byVersion.values()].flatMap((parts) => messagesOf(receiver, parts));
    if (messages.length > 0) await addDeliveries(tx, key.tenant_id, key.id, messages);
    const last = entries.at(-1)?.head.version;
    if (last !== undefined) await advanceWebhook(tx, key, last);
    return byVersion.size;
  });
}

/** Makes deliveries of all versions of the journal, each once, in their order. */
async function makeDeliveries(db: Database, goesOn: GoesOn): Promise<void> {
  let behind: readonly WebhookKey[];
  do {
    behind = await findWebhooksBehind(db, constants.webhooksPerRound);
    if (behind.length === 0) return;
    // A version that is told must not be lost again.
    await waitUntilSafe(db);
    let made = 0;
    for (const key of behind) if (goesOn()) made += await makeSome(db, key);
    // Other workers are at the rest.
    if (made === 0) return;
  } while (goesOn());
}
