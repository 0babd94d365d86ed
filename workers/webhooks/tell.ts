import { createHash } from 'node:crypto';
import type { Mail, MailKind } from '../../db/mail/mail.ts';
import { findOrigin } from '../../db/platform/hosts.ts';
import type { Db } from '../../db/postgres/sql.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import type { WebhookEvent } from '../../db/schema/webhook.ts';
import { listOwners } from '../../db/sql/users.ts';
import { addDeliveries, listWebhooks } from '../../db/sql/webhooks.ts';

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

/** A message that tells of no version of the menu. */
interface ReceiverNotice {
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
