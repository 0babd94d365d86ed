import { createWebhook } from '../../../db/actions/webhooks.ts';
import { type TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from '../../../db/schema/webhook.ts';
import { listWebhooks, type Webhook } from '../../../db/sql/webhooks.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import {
  type ActionForm,
  actionFormOf,
  type FormField,
  type FormState,
} from '../forms/action-form.ts';
import { notice } from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { secretBanner } from '../pages/message-page.ts';
import { momentElement } from '../pages/moment.ts';
import type { PanelRequest } from '../panel-request.ts';

export const WEBHOOKS_PATH = '/admin/webhooks';

const EVENT_TEXTS: Readonly<Record<string, TextKey>> = {
  'menu.version': 'webhooks.eventVersion',
  'item.availability': 'webhooks.eventAvailability',
  'import.finished': 'webhooks.eventImport',
  'release.failed': 'webhooks.eventRelease',
  'screen.away': 'webhooks.eventScreen',
  'webhook.test': 'webhooks.eventTest',
} satisfies Record<WebhookEvent | typeof TEST_EVENT, TextKey>;

/** The text for an event; one that a later release knows is its name. */
export function sayEvent(say: Say, event: string): string {
  const text = EVENT_TEXTS[event];
  return text ? say(text) : event;
}

/** The fields for the address and the events. */
export const WEBHOOK_FIELDS: readonly FormField[] = [
  { kind: 'text', name: 'url', label: 'webhooks.url', hint: 'webhooks.urlHint' },
  {
    ...{ kind: 'some', name: 'events', label: 'webhooks.events', item: 'event' },
    options: WEBHOOK_EVENTS,
    describe: (say, event) => ({ label: sayEvent(say, event), hint: html`<code>${event}</code>` }),
  },
];
export const WEBHOOK_TEXTS = {
  events: 'webhooks.eventMissing',
  webhooks: 'webhooks.full',
} as const;

/** The state of a webhook, and whether it needs somebody. */
export function stateOf(say: Say, webhook: Webhook): { text: string; kind: string } {
  if (webhook.switched_off_at !== null) return { text: say('webhooks.switchedOff'), kind: 'due' };
  if (!webhook.is_active) return { text: say('webhooks.off'), kind: 'revoked' };
  if (webhook.failing_since !== null) return { text: say('webhooks.failing'), kind: 'due' };
  return { text: say('webhooks.on'), kind: 'active' };
}

/** The banner with a webhook's new secret. */
export function newSecret(request: PanelRequest, url: string, value: string): Html {
  const { say } = request;
  return secretBanner(request, {
    id: 'secret',
    title: say('webhooks.secretTitle', { url }),
    once: say('webhooks.secretOnce'),
    label: say('webhooks.secret'),
    value,
    rows: 2,
    advice: say('webhooks.secretAdvice'),
  });
}

/** Since when a webhook fails, or why it is off; null when all is well. */
export function troubleOf(desk: Desk, webhook: Webhook): Content {
  const { say } = desk;
  const { switched_off_at: off, failing_since: failing } = webhook;
  const since = off ?? failing;
  if (since === null) return null;
  const text = say(off === null ? 'webhooks.failingSince' : 'webhooks.offSince');
  return html`<p class="due">${text} ${momentElement(desk, new Date(since))}</p>`;
}

function webhookItem(desk: Desk, webhook: Webhook): Html {
  const { say } = desk;
  const state = stateOf(say, webhook);
  const manage = say('webhooks.manage');
  return html`<li class="token ${state.kind}">
  <div class="token-head"><h3 class="address" translate="no">${webhook.url}</h3><span class="state ${state.kind}">${state.text}</span></div>
  <ul class="scope-list" aria-label="${say('webhooks.events')}">${webhook.events.map((event) => html`<li>${sayEvent(say, event)}</li>`)}</ul>
  ${troubleOf(desk, webhook)}
  <a class="button" href="${WEBHOOKS_PATH}/${webhook.id}" aria-label="${manage}: ${webhook.url}">${manage}</a>
</li>`;
}

async function webhooksPage(desk: Desk, state: FormState): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const webhooks = await listWebhooks(db, tenantId);
  const items = webhooks.map((webhook) => webhookItem(desk, webhook));
  return listPage(desk, state, {
    title: say('webhooks.title'),
    create: createCard(say('webhooks.new'), actionFormOf(request, webhookForm, state)),
    list: listSection(say('webhooks.list'), items, say('webhooks.empty')),
    place: 'webhooks',
  });
}

/** Most receivers want to be told of versions. */
const NEW = { events: ['menu.version'] };

/** `POST /admin/webhooks`: makes a webhook, and shows its secret, this once. */
export const webhookForm: ActionForm<typeof createWebhook.input, Webhook & { secret: string }> = {
  action: createWebhook,
  path: WEBHOOKS_PATH,
  fields: WEBHOOK_FIELDS,
  submit: 'webhooks.submit',
  texts: WEBHOOK_TEXTS,
  page: webhooksPage,
  done: (desk, { result, isRepeated }) => {
    const { say } = desk;
    // The answer to the form, which showed the secret, is loaded again or was lost.
    if (isRepeated) return webhooksPage(desk, { notice: notice('bad', say('webhooks.repeated')) });
    const banner = newSecret(desk.request, result.url, result.secret);
    return webhooksPage(desk, { status: '201 Created', notice: banner });
  },
};

/** `GET /admin/webhooks` */
export function showWebhooks(desk: Desk): Promise<Answer> {
  const { context, say } = desk.request;
  const isRemoved = new URLSearchParams(context.query).has('removed');
  return webhooksPage(desk, {
    values: NEW,
    notice: isRemoved && notice('good', say('webhooks.removed')),
  });
}
