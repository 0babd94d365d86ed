import type { Mail, MailKind } from '../../../db/mail/mail.ts';
import { linkAddress } from '../../../db/people/link-secret.ts';
import type { PanelRequest } from '../panel-request.ts';
import { originOf } from './link-banner.ts';

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
  { mail, request }: { mail: Mail | null; request: PanelRequest },
  kind: MailKind,
  to: Recipient,
  secret: string,
): string | null {
  if (!mail) return null;
  const { brand, context } = request;
  const { defaultLocale } = context.front.tenant;
  const link = linkAddress(originOf(request), secret);
  mail.send(kind, { restaurant: brand.name, defaultLocale, to, link });
  return to.email;
}
