import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { readForward, waitUntilSafe } from '../../db/sql/history.ts';
import {
  addDeliveries,
  advanceWebhook,
  findWebhooksBehind,
  lockWebhook,
  type WebhookKey,
} from '../../db/sql/webhooks.ts';
import type { GoesOn } from '../housekeeping/rounds.ts';
import { messagesOf } from './messages.ts';

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
export async function makeDeliveries(db: Database, goesOn: GoesOn): Promise<void> {
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
