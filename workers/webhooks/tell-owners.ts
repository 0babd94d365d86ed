import type { Mail, MailKind } from '../../db/mail/mail.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { listOwners } from '../../db/sql/users.ts';

/** How owners of restaurants are told. */
export interface TellOptions {
  db: Db;
  /** Null where no mail server is set up. */
  mail: Mail | null;
  originOf: (slug: string) => string;
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
    mail.send(kind, { restaurant, defaultLocale, to, link: `${originOf(slug)}${path}`, about });
  }
}
