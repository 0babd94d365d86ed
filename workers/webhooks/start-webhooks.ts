import type { Logger } from 'pino';
import { Webhook } from 'standardwebhooks';
import type { Database } from '../../db/postgres/connection.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { asError } from '../../db/runtime/operator-error.ts';
import { createRepeated } from '../../db/runtime/repeated.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { readForward, waitUntilSafe } from '../../db/sql/history.ts';
import {
  type DeliveryAttempt,
  type DueDelivery,
  findDueDelivery,
  noteAttempt,
  wakeForgottenWebhooks,
} from '../../db/sql/webhook-turns.ts';
import {
  addDeliveries,
  advanceWebhook,
  findWebhooksBehind,
  lockWebhook,
  removeOldDeliveries,
  type WebhookKey,
} from '../../db/sql/webhooks.ts';
import type { LookShares } from '../housekeeping/look-shares.ts';
import { type GoesOn, removeAll, startRounds } from '../housekeeping/rounds.ts';
import { isTaken, type OutgoingOptions, sendRequest } from '../outgoing/send-request.ts';
import { createReceiverSlots } from './receiver-slots.ts';
import { messagesOf, type TellOptions, tellOwners } from './tell.ts';

/** Versions whose deliveries one transaction makes. */
const WEBHOOK_VERSIONS = 100;

/** A webhook that has failed for so long is switched off, in ms. */
const WEBHOOK_GIVE_UP_AFTER = 3 * 86_400_000;
/** Days for which deliveries are kept that do not wait. */
const DELIVERY_DAYS = 30;

interface SendOptions extends OutgoingOptions {
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
    return { status, error: isTaken(status) ? null : `answered ${status}` };
  } catch (error) {
    // This worker stops, which is no fault of the receiver.
    if (options.signal?.aborted) throw error;
    const { name, message, code } = asError(error);
    const isLate = name === 'AbortError' || name === 'TimeoutError';
    const text = isLate ? `no answer within ${options.constants.webhookTimeout} ms` : message;
    return { status: null, error: (text || code || 'unknown').slice(0, 300) };
  }
}

interface WebhookOptions extends SendOptions, TellOptions {
  db: Database;
  shares: LookShares;
  log: Logger;
  constants: Constants;
}

/**
 * Sends what waits for one receiver, in order, for some time at most. The next message waits until the
 * receiver has taken this one.
 *
 * @returns false when it did not take one: then it pauses
 */
async function sendWaiting(options: WebhookOptions, key: WebhookKey): Promise<boolean> {
  const { db, constants } = options;
  const until = performance.now() + constants.webhookTurn;
  while (performance.now() < until && !options.signal?.aborted) {
    const due = await findDueDelivery(db, key, constants);
    if (!due) return true;
    const attempt = await sendMessage(due, options);
    const isLast = attempt.error !== null && (due.failing_for ?? 0) > WEBHOOK_GIVE_UP_AFTER;
    await noteAttempt(db, key, { ...attempt, deliveryId: due.delivery_id, isLast }, constants);
    if (isLast) {
      const told = { kind: 'webhookOff', path: '/admin/webhooks', about: due.url } as const;
      await tellOwners(options, due.tenant_id, told);
    }
    if (attempt.error !== null) return false;
  }
  return true;
}

/** The sending of messages to receivers. */
interface Webhooks extends Running {
  /** This worker has made versions of restaurants: their receivers need not wait for a look. */
  tellSoon(tenantIds: readonly number[]): void;
}

/**
 * Tells receivers of versions: of those of this worker at once. Workers share the looks for all others,
 * one each `webhookInterval`, make deliveries of them, and send what waits. A receiver has one worker at
 * a time. Many receivers are served at once, so that a slow one delays itself only.
 */
export function startWebhooks(options: WebhookOptions): Webhooks {
  const { db, shares, log, constants } = options;
  const serve = (key: WebhookKey, signal: AbortSignal) => {
    return sendWaiting({ ...options, signal }, key);
  };
  const slots = createReceiverSlots({ db, serve, log, constants });
  const start = (
    what: string,
    interval: number,
    round: Parameters<typeof startRounds>[0]['round'],
  ) => startRounds({ what, interval, firstAfter: 0, round, shares, log });
  const fill = () => void slots.fill();
  const changed = new Set<number>();
  const telling = createRepeated({
    work: async (goesOn) => {
      const tenantIds = [...changed];
      changed.clear();
      if (tenantIds.length > 0) await makeDeliveries(db, goesOn, fill, tenantIds);
    },
    onFailure: (err) => log.error({ err }, 'webhooks could not be told at once; a look will'),
    pause: constants.webhookPause,
  });
  const rounds = [
    start('the messages of webhooks', constants.webhookInterval, (goesOn) =>
      makeDeliveries(db, goesOn, fill),
    ),
    // Beside it: a restaurant may have many versions sent again.
    start('the webhooks', constants.webhookInterval, async () => fill()),
    start('the housekeeping of webhooks', constants.housekeepingInterval, async (goesOn) => {
      await wakeForgottenWebhooks(db);
      const remove = () => removeOldDeliveries(db, DELIVERY_DAYS, constants.removalBatch);
      await removeAll(remove, goesOn);
    }),
  ];
  return {
    tellSoon: (tenantIds) => {
      if (tenantIds.length === 0) return;
      for (const id of tenantIds) changed.add(id);
      telling.ask();
    },
    ...stopOnce(async () => {
      await Promise.all([telling, ...rounds].map((each) => each.stop()));
      await slots.stop();
    }),
  };
}

/**
 * Makes deliveries of the next versions for one webhook; how many versions there were.
 *
 * @param waits whether it waits for a worker that has the webhook
 */
function makeSome(db: Database, key: WebhookKey, waits: boolean): Promise<number> {
  return db.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key, waits);
    if (!webhook) return 0;
    const after = webhook.version;
    const entries = await readForward(tx, key.tenant_id, { after }, WEBHOOK_VERSIONS);
    const byVersion = groupBy(entries, ({ head }) => head.version);
    const receiver = { ...key, ...webhook };
    const messages = [...byVersion.values()].flatMap((parts) => messagesOf(receiver, parts));
    if (messages.length > 0) await addDeliveries(tx, key.tenant_id, key.id, messages);
    const last = entries.at(-1)?.head.version;
    if (last !== undefined) await advanceWebhook(tx, key, last);
    return byVersion.size;
  });
}

/**
 * Makes deliveries of all versions of the journal, each once, in their order.
 *
 * @param tenantIds of these restaurants; without it, of all
 */
async function makeDeliveries(
  db: Database,
  goesOn: GoesOn,
  onMade: () => void,
  tenantIds?: readonly number[],
): Promise<void> {
  let behind: readonly WebhookKey[];
  do {
    behind = await findWebhooksBehind(db, constants.webhooksPerRound, tenantIds);
    if (behind.length === 0) return;
    // A version that is told must not be lost again.
    await waitUntilSafe(db);
    let made = 0;
    // A look passes over those that somebody has: the next one comes soon.
    const waits = tenantIds !== undefined;
    for (const key of behind) if (goesOn()) made += await makeSome(db, key, waits);
    // Other workers are at the rest.
    if (made === 0) return;
    onMade();
  } while (goesOn());
}
