import type { MailKind } from '../../../db/mail/mail.ts';
import { linkAddress } from '../../../db/people/people.ts';
import { type Desk, homeOrigin } from '../desk.ts';

/** A person who gets a message. */
interface Recipient {
  email: string;
  name: string;
  language?: string | null;
}

/**
 * Mails a link, where mail is set up, without waiting for it.
 *
 * @returns the address to which it goes; null where no mail is sent
 */
export function mailLink(
  desk: Pick<Desk, 'mail' | 'originOf' | 'request'>,
  kind: MailKind,
  to: Recipient,
  secret: string,
): string | null {
  const { mail, request } = desk;
  if (!mail) return null;
  const { brand, context } = request;
  const { defaultLocale } = context.front.tenant;
  const link = linkAddress(homeOrigin(desk), secret);
  mail.send(kind, { restaurant: brand.name, defaultLocale, to, link });
  return to.email;
}
