import * as v from 'valibot';
import type { MailKind } from '../../../db/mail/mail.ts';
import { linkAddress } from '../../../db/people/people.ts';
import { emailAddress, personName, type Role, roles } from '../../../db/schema/person.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import { type Desk, homeOrigin } from '../desk.ts';

function read(schema: v.GenericSchema<string, string>, text: string): string | null {
  const found = v.safeParse(schema, text);
  return found.success ? found.output : null;
}

/** An e-mail address as it is stored; null for a text that is none. */
export function readEmail(text: string): string | null {
  return read(emailAddress, text);
}

/** A person's name as it is stored; null for one that is blank, too long or deceives. */
export function readName(text: string): string | null {
  return read(personName, text);
}

export function readRole(text: string): Role | null {
  return roles.find((role) => role === text) ?? null;
}

/** An e-mail address that a narrow screen breaks before its domain. */
export function emailText(email: string): Html {
  const [mailbox = '', domain = ''] = email.split(/(?=@)/);
  return html`${mailbox}<wbr>${domain}`;
}

/** A button for each role, with a hint of what it allows. */
export function roleChoice(say: Say, chosen: Role): Html {
  const choices = roles.map((role) => {
    const checked = role === chosen && html` checked`;
    return html`<div class="choice">
    <input type="radio" name="role" value="${role}" id="role-${role}" aria-describedby="role-${role}-hint"${checked}>
    <label for="role-${role}">${say(`roles.${role}`)}</label>
    <p class="hint" id="role-${role}-hint">${say(`roles.${role}Hint`)}</p>
  </div>`;
  });
  return html`<fieldset class="scopes"><legend>${say('people.role')}</legend>${choices}</fieldset>`;
}

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
