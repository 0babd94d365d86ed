import { createHash } from 'node:crypto';
import { findOrigin } from '../../db/actions/hosts.ts';
import type { Mail, MailKind } from '../../db/actions/mail.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { keysOf } from '../../db/runtime/keys.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import type { Change } from '../../db/schema/version.ts';
import type { WebhookEvent } from '../../db/schema/webhook.ts';
import type { HistoryEntry } from '../../db/sql/history.ts';
import { listOwners } from '../../db/sql/users.ts';
import {
  addDeliveries,
  listWebhooks,
  type NewDelivery,
  type WebhookKey,
} from '../../db/sql/webhooks.ts';

/** Longest changes of an entry in a message, in characters; beyond it the receiver asks the API. */
const MAX_WEBHOOK_CHANGES = 262_144;

/** How owners of restaurants are told. */
export interface TellOptions {
  db: Db;
  /** Null where no mail server is set up. */
  mail: Mail | null;
  originOf: OriginOf;
}

/** A message to owners, and the page of the panel that it leads to. */
interface OwnersMail {
  kind: MailKind;
  path: string;
  about: string;
}

/** Mails the owners of a restaurant. */
export async function tellOwners(
  { db, mail, originOf }: TellOptions,
  tenantId: number,
  { kind, path, about }: OwnersMail,
): Promise<void> {
  if (!mail) return;
  for (const { slug, restaurant, default_locale: defaultLocale, ...to } of await listOwners(
    db,
    tenantId,
  )) {
    const origin = await findOrigin(db, originOf, { id: tenantId, slug });
    mail.send(kind, { restaurant, defaultLocale, to, link: origin + path, about });
  }
}

/** A message to receivers. */
interface ReceiverNotice {
  event: WebhookEvent;
  at: Date;
  /** A version, or another name: with receiver, event and time it names the message. */
  about: string | number;
  data: object;
}

/** Tells of an event that no version made: to all active receivers of a restaurant that want it. */
export async function tellReceivers(
  tx: Db,
  tenantId: number,
  { event, at, about, data }: ReceiverNotice,
): Promise<void> {
  const receivers = (await listWebhooks(tx, tenantId)).filter(
    ({ is_active, events }) => is_active && events.includes(event),
  );
  for (const { id } of receivers) {
    const message = messageTo({ tenant_id: tenantId, id }, { event, at, about, data });
    await addDeliveries(tx, tenantId, id, [{ ...message, version: null }]);
  }
}

/** The message to a receiver: the same one, with the same id, whenever it is made. */
function messageTo({ tenant_id, id }: WebhookKey, { event, at, about, data }: ReceiverNotice) {
  const timestamp = at.toISOString();
  const name = [tenant_id, id, about, timestamp, event].join('/');
  const messageId = `msg_${createHash('sha256').update(name).digest('base64url')}`;
  return { messageId, event, payload: JSON.stringify({ type: event, timestamp, data }) };
}

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
  const isLong = (changes?.length ?? 0) > MAX_WEBHOOK_CHANGES;
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

/** The messages about one version. */
export function messagesOf(receiver: Receiver, entries: readonly HistoryEntry[]): NewDelivery[] {
  const [first] = entries;
  if (!first) return [];
  const { version, at } = first.head;
  return keysOf(TELL).flatMap((event) => {
    const told = receiver.events.includes(event) ? TELL[event](entries) : null;
    if (!told) return [];
    const data = { restaurant: receiver.slug, version, ...told };
    return [{ ...messageTo(receiver, { event, at, about: version, data }), version }];
  });
}
