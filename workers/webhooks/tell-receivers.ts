import { createHash } from 'node:crypto';
import type { Db } from '../../db/postgres/sql.ts';
import type { WebhookEvent } from '../../db/schema/webhook.ts';
import { addDeliveries, listWebhooks } from '../../db/sql/webhooks.ts';

/** A message that tells of no version of the menu. */
export interface ReceiverNotice {
  event: WebhookEvent;
  at: Date;
  /** With the restaurant, the event and the time it names the message, which is sent once. */
  about: string | number;
  data: object;
}

/** Lets all active receivers of a restaurant that want such an event be told of it. */
export async function tellReceivers(
  tx: Db,
  tenantId: number,
  { event, at, about, data }: ReceiverNotice,
): Promise<void> {
  const receivers = (await listWebhooks(tx, tenantId)).filter(
    ({ is_active, events }) => is_active && events.includes(event),
  );
  const timestamp = at.toISOString();
  for (const receiver of receivers) {
    const what = [tenantId, receiver.id, about, timestamp, event].join('/');
    const messageId = `msg_${createHash('sha256').update(what).digest('base64url')}`;
    const payload = JSON.stringify({ type: event, timestamp, data });
    await addDeliveries(tx, tenantId, receiver.id, [{ messageId, event, version: null, payload }]);
  }
}
