import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { described } from './validation/described-as.ts';
import { flagInput, integer, urlInput } from './validation/input-fields.ts';
import { oneOfRule } from './validation/rule.ts';

const WEBHOOK_SECRET_BYTES = 32;

/** The events that a receiver can be told of. */
export const WEBHOOK_EVENTS = [
  'menu.version',
  'item.availability',
  'import.finished',
  'release.failed',
  'screen.away',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** The event that somebody sends by hand. */
export const TEST_EVENT = 'webhook.test';

const eventList = v.pipe(
  v.array(v.picklist(WEBHOOK_EVENTS, oneOfRule(WEBHOOK_EVENTS)), 'array'),
  v.minLength(1, 'required'),
  v.transform((events) => [...new Set(events)]),
  v.description('What the receiver is told of.'),
);
const address = v.pipe(
  urlInput(),
  v.nonEmpty('required'),
  v.description('Where messages are sent: an absolute address with `https://` or `http://`.'),
);

/** The body that makes a webhook. */
export const webhookInput = v.object({
  url: address,
  events: eventList,
  is_active: v.optional(described(flagInput(), 'Whether messages are sent.'), true),
});
/** The body that changes one. */
export const webhookChange = v.object({
  url: v.optional(address),
  events: v.optional(eventList),
  is_active: v.optional(described(flagInput(), 'Whether messages are sent.')),
  rotate_secret: described(
    v.optional(flagInput()),
    'Makes a new secret; the one before signs as well for a day.',
  ),
});

/** The body that lets messages be sent once more: those of this version and of later ones. */
export const resendInput = v.object({
  from_version: integer(1),
});

const moment = (description: string) => described(v.nullable(v.string()), description);

/** A webhook as the API shows it. */
export const webhookSchema = v.object({
  id: v.number(),
  url: described(v.string(), 'Where messages are sent.'),
  events: described(v.array(v.string()), 'What the receiver is told of.'),
  is_active: described(v.boolean(), 'Whether messages are sent.'),
  failing_since: moment('Since when every attempt has failed.'),
  switched_off_at: moment('When it was switched off because it had failed for three days.'),
  created_at: described(v.string(), 'When it was created.'),
  updated_at: described(v.string(), 'When it was changed last.'),
});
/** Beside that its secret, in the answer that makes it. */
export const newWebhookSchema = v.object({
  ...webhookSchema.entries,
  secret: v.optional(
    described(v.string(), 'Verifies signatures. It is shown once, when it is made.'),
  ),
});

export const deliverySchema = v.object({
  id: v.number(),
  message_id: described(v.string(), 'The `webhook-id` of each attempt.'),
  event: described(v.string(), 'What it tells of.'),
  version: described(v.nullable(v.number()), 'The version that it tells of.'),
  state: described(
    v.picklist(['waiting', 'delivered', 'failed']),
    'Whether the receiver has taken it; `failed`: it was given up.',
  ),
  attempts: described(v.number(), 'How often it was sent.'),
  status: described(v.nullable(v.number()), 'Of the last answer.'),
  error: described(v.nullable(v.string()), 'Why the last attempt failed.'),
  attempted_at: described(v.nullable(v.string()), 'When it was sent last.'),
  created_at: described(v.string(), 'When it was made.'),
});

/** A secret in the form of Standard Webhooks. */
export function makeSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
}
