import * as v from 'valibot';
import { checkInput, type InputSchema } from '../../../db/schema/validation/check-input.ts';
import {
  type TEST_EVENT,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  webhookInput,
} from '../../../db/schema/webhook.ts';
import type { Webhook } from '../../../db/sql/webhooks.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import type { Form } from '../form.ts';
import { fieldError, textField } from '../pages/fields.ts';
import { sayBroken } from '../texts/rules.ts';

export const WEBHOOKS_PATH = '/admin/webhooks';

const EVENT_TEXTS: Record<WebhookEvent | typeof TEST_EVENT, TextKey> = {
  'menu.version': 'webhooks.eventVersion',
  'item.availability': 'webhooks.eventAvailability',
  'import.finished': 'webhooks.eventImport',
  'release.failed': 'webhooks.eventRelease',
  'screen.away': 'webhooks.eventScreen',
  'webhook.test': 'webhooks.eventTest',
};

/** The text for an event; one that a later release knows is its name. */
export function sayEvent(say: Say, event: string): string {
  return event in EVENT_TEXTS ? say(EVENT_TEXTS[event as WebhookEvent]) : event;
}

/** A webhook's form as it was sent, and its errors. */
export interface WebhookForm {
  url: string;
  events: readonly string[];
  urlError?: string | undefined;
  eventsError?: string | undefined;
}

const fields = v.omit(webhookInput, ['is_active']) as unknown as InputSchema;

/** Reads and checks a form by the rules of the API. */
export function readWebhookForm(form: Form, say: Say): WebhookForm {
  const sent = { url: form.text('url'), events: form.list('events') };
  const checked = checkInput(fields, sent);
  if (!('errors' in checked)) return { url: String(checked.input.url), events: sent.events };
  const [wrong] = checked.errors.url ?? [];
  const isOfEvents = Object.keys(checked.errors).some((name) => name.startsWith('events'));
  return {
    ...sent,
    urlError: wrong && sayBroken(say, wrong),
    eventsError: isOfEvents ? say('webhooks.eventMissing') : undefined,
  };
}

export function hasErrors({ urlError, eventsError }: WebhookForm): boolean {
  return urlError !== undefined || eventsError !== undefined;
}

/** The controls for the address and the events. */
export function webhookFields(say: Say, form: WebhookForm): Html {
  const { url, events, urlError, eventsError } = form;
  const address = textField({
    ...{ id: 'url', label: say('webhooks.url'), type: 'text', autocomplete: 'off' },
    ...{ value: url, hint: say('webhooks.urlHint'), error: urlError },
  });
  const boxes = WEBHOOK_EVENTS.map((event) => {
    const id = `event-${event.replace('.', '-')}`;
    const checked = events.includes(event) && html` checked`;
    return html`<div class="choice"><input type="checkbox" name="events" value="${event}" id="${id}"${checked}>
<label for="${id}">${sayEvent(say, event)}</label><p class="hint"><code>${event}</code></p></div>`;
  });
  const described = eventsError !== undefined && html` aria-describedby="events-error"`;
  return html`${address}
<fieldset class="${eventsError === undefined ? 'scopes' : 'scopes invalid'}"${described}>
<legend>${say('webhooks.events')}</legend>${boxes}${fieldError('events', eventsError)}</fieldset>`;
}

/** The state of a webhook, and whether it needs somebody. */
export function stateOf(say: Say, webhook: Webhook): { text: string; kind: string } {
  if (webhook.switched_off_at !== null) return { text: say('webhooks.switchedOff'), kind: 'due' };
  if (!webhook.is_active) return { text: say('webhooks.off'), kind: 'revoked' };
  if (webhook.failing_since !== null) return { text: say('webhooks.failing'), kind: 'due' };
  return { text: say('webhooks.on'), kind: 'active' };
}
