import type { Mail, MailKind } from '../../db/mail/mail.ts';
import { findOrigin } from '../../db/platform/hosts.ts';
import type { Db } from '../../db/postgres/sql.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { listOwners } from '../../db/sql/users.ts';

/** How owners of restaurants are told. */
export interface TellOptions {
  db: Db;
  /** Null where no mail server is set up. */
  mail: Mail | null;
  originOf: OriginOf;
}

/** A message to owners, and the page of the panel that it leads to. */
export interface OwnersMail {
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
