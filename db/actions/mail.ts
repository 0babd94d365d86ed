import type { Logger } from 'pino';
import type { Config } from '../runtime/config.ts';
import { memoizeAsync } from '../runtime/memoize.ts';
import { type Running, stopOnce } from '../runtime/running.ts';
import type { Locale } from '../schema/values/locale.ts';
import { isPanelLanguage, panelLanguage, type TextKey } from '../texts/catalogues.ts';
import { sayIn } from '../texts/say.ts';

/** A message with a link to somebody. */
export interface LinkMail {
  restaurant: string;
  /** Of the message, where the person has chosen none. */
  defaultLocale: Locale;
  to: { email: string; name: string; language?: string | null };
  link: string;
  /** The address that the message is about, where it is about one. */
  about?: string;
}

export type MailKind = 'invite' | 'password' | 'email' | 'webhookOff' | 'screenAway';

/** Sends messages; none of them is waited for, and a failure is logged without its link. */
export interface Mail extends Running {
  send(kind: MailKind, mail: LinkMail): void;
}

const ENDS: Partial<Record<MailKind, TextKey>> = {
  invite: 'mail.inviteEnd',
  password: 'mail.passwordEnd',
};
/** In a subject they would begin another header, and in a name they deceive. */
const CONTROLS = /[\p{Cc}\p{Cf}]+/gu;

/** The subject and the text of a message, in the language of the person. */
export function compose(kind: MailKind, mail: LinkMail) {
  const { restaurant, defaultLocale, to, link, about = '' } = mail;
  const language = to.language ?? '';
  const say = sayIn(isPanelLanguage(language) ? language : panelLanguage(defaultLocale));
  const values = {
    restaurant: restaurant.replace(CONTROLS, ' '),
    about: about.replace(CONTROLS, ' '),
  };
  const name = to.name.replace(CONTROLS, ' ');
  const end = ENDS[kind];
  const lines = [
    name === '' ? say('mail.greetingAll') : say('mail.greeting', { name }),
    say(`mail.${kind}`, values),
    link,
    ...(end ? [say(end)] : []),
    values.restaurant,
  ];
  return { subject: say(`mail.${kind}Subject`, values), text: `${lines.join('\n\n')}\n` };
}

/** How long a message may take to the mail server, in ms, and messages under way at once. */
const TIMEOUT = 10_000;
const MAX_UNDER_WAY = 50;

/** @returns null where `SMTP_URL` names no mail server */
export function createMail(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  log: Logger,
): Mail | null {
  if (smtpUrl === undefined) return null;
  const timeouts = {
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  };
  // The library takes memory, and is read with the first message.
  const open = memoizeAsync(async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url: smtpUrl, pool: true, maxConnections: 2, ...timeouts });
  });
  let isOpen = false;
  const underWay = new Set<Promise<void>>();
  const deliver = async (kind: MailKind, mail: LinkMail) => {
    const { email: address, name } = mail.to;
    try {
      isOpen = true;
      const transport = await open();
      await transport.sendMail({
        ...compose(kind, mail),
        from: { ...mailFrom, name: (mailFrom.name || mail.restaurant).replace(CONTROLS, ' ') },
        to: { name: name.replace(CONTROLS, ' '), address },
        headers: { 'Auto-Submitted': 'auto-generated' },
        // Neither a file nor an address of ours is read for a message.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      log.warn({ err: error, kind }, 'a message could not be sent');
    }
  };
  return {
    send: (kind, mail) => {
      if (underWay.size >= MAX_UNDER_WAY) {
        log.warn({ kind }, 'a message was not sent: too many are under way');
        return;
      }
      const delivery = deliver(kind, mail).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    ...stopOnce(async () => {
      await Promise.all(underWay);
      if (isOpen) (await open()).close();
    }),
  };
}
