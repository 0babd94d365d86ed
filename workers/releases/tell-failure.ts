import { createHash } from 'node:crypto';
import type { Db } from '../../db/postgres/sql.ts';
import type { Release } from '../../db/schema/release.ts';
import type { WebhookEvent } from '../../db/schema/webhook.ts';
import type { LockedTenant } from '../../db/sql/tenants.ts';
import { addDeliveries, listWebhooks } from '../../db/sql/webhooks.ts';

const EVENT: WebhookEvent = 'release.failed';

/** Tells the receivers of the restaurant that a release has failed at its time. */
export async function tellFailure(
  tx: Db,
  { id: tenantId, slug, locked_at: at }: LockedTenant,
  { id, name, starts_at, problems }: Release,
): Promise<void> {
  const receivers = (await listWebhooks(tx, tenantId)).filter(
    ({ is_active, events }) => is_active && events.includes(EVENT),
  );
  const timestamp = at.toISOString();
  const data = { restaurant: slug, release: { id, name, starts_at }, problems };
  for (const receiver of receivers) {
    const what = [tenantId, receiver.id, id, timestamp, EVENT].join('/');
    const messageId = `msg_${createHash('sha256').update(what).digest('base64url')}`;
    const payload = JSON.stringify({ type: EVENT, timestamp, data });
    await addDeliveries(tx, tenantId, receiver.id, [
      { messageId, event: EVENT, version: null, payload },
    ]);
  }
}
