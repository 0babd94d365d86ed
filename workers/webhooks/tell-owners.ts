import type { Mail } from '../../db/mail/mail.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { listOwners } from '../../db/sql/users.ts';

/** How owners of restaurants are told. */
export interface TellOptions {
  db: Db;
  /** Null where no mail server is set up. */
  mail: Mail | null;
  originOf: (slug: string) => string;
}

/** Mails the owners of a restaurant that a webhook was switched off because it failed. */
export async function tellOwners(
  { db, mail, originOf }: TellOptions,
  tenantId: number,
  url: string,
): Promise<void> {
  if (!mail) return;
  for (const { slug, restaurant, default_locale: defaultLocale, ...to } of await listOwners(
    db,
    tenantId,
  )) {
    const link = `${originOf(slug)}/admin/webhooks`;
    mail.send('webhookOff', { restaurant, defaultLocale, to, link, about: url });
  }
}
