import { Webhook } from 'standardwebhooks';
import type { Constants } from '../../db/runtime/constants.ts';
import { asError } from '../../db/runtime/operator-error.ts';
import type { DeliveryAttempt, DueDelivery } from '../../db/sql/webhooks.ts';
import { type OutgoingOptions, sendRequest } from '../outgoing/send-request.ts';

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
