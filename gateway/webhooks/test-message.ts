import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/postgres/sql.ts';
import { TEST_EVENT } from '../../db/schema/webhook.ts';
import { addDeliveries } from '../../db/sql/webhooks.ts';

/** Lets a message be sent that says nothing. @param now milliseconds since 1970 */
export async function sendTest(
  db: Db,
  { id, slug }: { id: number; slug: string },
  webhookId: number,
  now: number,
): Promise<void> {
  const timestamp = new Date(now).toISOString();
  const payload = JSON.stringify({ type: TEST_EVENT, timestamp, data: { restaurant: slug } });
  const message = { messageId: `msg_${randomUUID()}`, event: TEST_EVENT, version: null, payload };
  await addDeliveries(db, id, webhookId, [message], true);
}
