import { createHash } from 'node:crypto';
import { constants } from '../../db/runtime/constants.ts';
import type { Change } from '../../db/schema/version.ts';
import type { WebhookEvent } from '../../db/schema/webhook.ts';
import type { HistoryEntry } from '../../db/sql/history.ts';
import type { NewDelivery, WebhookKey } from '../../db/sql/webhooks.ts';

/** The receiver of messages. */
interface Receiver extends WebhookKey {
  slug: string;
  events: readonly string[];
}

const changesOf = ({ changes }: HistoryEntry): Change[] => JSON.parse(changes ?? '[]');

/** The dishes that an entry makes sold out or available. */
function availabilityOf(entry: HistoryEntry) {
  return changesOf(entry).flatMap(({ resource, id, external_id, name, action, fields }) => {
    const after = fields.sold_out_until ?? fields.is_sold_out;
    if (resource !== 'items' || action !== 'changed' || after === undefined) return [];
    return [{ id, external_id, name, sold_out_until: fields.sold_out_until?.[1] ?? null, fields }];
  });
}

/** The entry with its changes; a long one without them, which the API still has. */
function whole(entry: HistoryEntry) {
  const { head, changes } = entry;
  const isLong = (changes?.length ?? 0) > constants.maxWebhookChanges;
  return isLong ? { ...head, changes: null } : { ...head, changes: changesOf(entry) };
}

/** The data of each event about the entries of one version; null for no message. */
const TELL: Record<WebhookEvent, (entries: readonly HistoryEntry[]) => object | null> = {
  'menu.version': (entries) => ({ entries: entries.map(whole) }),
  'item.availability': (entries) => {
    const items = entries.flatMap(availabilityOf);
    return items.length > 0 ? { items } : null;
  },
  'import.finished': (entries) => {
    const imports = entries.filter(({ head }) => head.origin === 'import');
    return imports.length > 0 ? { imports: imports.map(({ head }) => head) } : null;
  },
  // No version tells of it: the clock sends it.
  'release.failed': () => null,
  // Nor of this: the watch of screens sends it.
  'screen.away': () => null,
};

/** The messages about one version; the same ones, with the same ids, whenever they are made. */
export function messagesOf(receiver: Receiver, entries: readonly HistoryEntry[]): NewDelivery[] {
  const [first] = entries;
  if (!first) return [];
  const { version, at } = first.head;
  return (Object.keys(TELL) as WebhookEvent[]).flatMap((event) => {
    const told = receiver.events.includes(event) ? TELL[event](entries) : null;
    if (!told) return [];
    const name = [receiver.tenant_id, receiver.id, version, at.toISOString(), event].join('/');
    const messageId = `msg_${createHash('sha256').update(name).digest('base64url')}`;
    const data = { restaurant: receiver.slug, version, ...told };
    const payload = JSON.stringify({ type: event, timestamp: at.toISOString(), data });
    return [{ messageId, event, version, payload }];
  });
}
