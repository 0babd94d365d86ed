import { createWebhook } from '../../../db/actions/webhooks.ts';
import { type TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from '../../../db/schema/webhook.ts';
import { listWebhooks, type Webhook } from '../../../db/sql/webhooks.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import {
  fieldError,
  hiddenFields,
  notice,
  refusal,
  staleForm,
  textField,
} from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { secretBanner } from '../pages/message-page.ts';
import { momentElement } from '../pages/moment.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { performForm, sayFields } from '../perform-form.ts';
import { isFormId, newFormId } from '../writes/told.ts';

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

/** A webhook's form as it was sent, and its errors. */
export interface WebhookForm {
  url: string;
  events: readonly string[];
  errors?: Readonly<Record<string, string>>;
}

export function readWebhookForm(form: Form): WebhookForm {
  return { url: form.text('url'), events: form.list('events') };
}

/** A form that is refused, with the texts beside its fields. */
export function refusedWebhook(say: Say, form: WebhookForm, { errors: broken }: InvalidError) {
  const errors = sayFields(say, broken, TEXTS);
  return { ...refusal(errors.webhooks ?? say('webhooks.errors')), form: { ...form, errors } };
}

const TEXTS = { events: 'webhooks.eventMissing', webhooks: 'webhooks.full' } as const;

/** The controls for the address and the events. */
export function webhookFields(say: Say, form: WebhookForm): Html {
  const { url, events, errors: { url: urlError, events: eventsError } = {} } = form;
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
  const { say } = desk.request;
  const { switched_off_at: off, failing_since: failing } = webhook;
  const since = off ?? failing;
  if (since === null) return null;
  const text = say(off === null ? 'webhooks.failingSince' : 'webhooks.offSince');
  return html`<p class="due">${text} ${momentElement(desk, new Date(since))}</p>`;
}

function webhookItem(desk: Desk, webhook: Webhook): Html {
  const { say } = desk.request;
  const state = stateOf(say, webhook);
  const manage = say('webhooks.manage');
  return html`<li class="token ${state.kind}">
  <div class="token-head"><h3 class="address" translate="no">${webhook.url}</h3><span class="state ${state.kind}">${state.text}</span></div>
  <ul class="scope-list" aria-label="${say('webhooks.events')}">${webhook.events.map((event) => html`<li>${sayEvent(say, event)}</li>`)}</ul>
  ${troubleOf(desk, webhook)}
  <a class="button" href="${WEBHOOKS_PATH}/${webhook.id}" aria-label="${manage}: ${webhook.url}">${manage}</a>
</li>`;
}

interface WebhooksState {
  status?: string;
  notice?: Content;
  form?: WebhookForm;
}

async function webhooksPage(desk: Desk, state: WebhooksState): Promise<Answer> {
  const { db, request } = desk;
  const { say, tenantId } = request;
  const webhooks = await listWebhooks(db, tenantId);
  const form = state.form ?? { url: '', events: ['menu.version'] };
  const create = html`<form method="post" action="${WEBHOOKS_PATH}" novalidate>${hiddenFields(request)}<input type="hidden" name="form_id" value="${newFormId()}">
${webhookFields(say, form)}<button class="main wide">${say('webhooks.submit')}</button></form>`;
  const items = webhooks.map((webhook) => webhookItem(desk, webhook));
  return listPage(desk, {
    status: state.status,
    title: say('webhooks.title'),
    intro: say('webhooks.intro'),
    notice: state.notice,
    create: createCard(say('webhooks.new'), create),
    list: listSection(say('webhooks.list'), items, say('webhooks.empty')),
    place: 'webhooks',
  });
}

/** `GET /admin/webhooks` */
export function showWebhooks(desk: Desk): Promise<Answer> {
  const { context, say } = desk.request;
  const isRemoved = new URLSearchParams(context.query).has('removed');
  return webhooksPage(desk, { notice: isRemoved && notice('good', say('webhooks.removed')) });
}

/** `POST /admin/webhooks`: makes a webhook, and shows its secret, this once. */
export async function createWebhookByForm(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const { say } = request;
  const sent = await readForm(request.context);
  const form = readWebhookForm(sent);
  const formId = sent.text('form_id');
  if (!isOwnForm(request, sent.text('form_token')) || !isFormId(formId)) {
    return webhooksPage(desk, { ...staleForm(request), form });
  }
  try {
    const { result, isRepeated } = await performForm(desk, createWebhook, { ...form }, formId);
    // The answer to the form, which showed the secret, is loaded again or was lost.
    if (isRepeated)
      return await webhooksPage(desk, { notice: notice('bad', say('webhooks.repeated')) });
    const banner = newSecret(request, result.url, result.secret);
    return await webhooksPage(desk, { status: '201 Created', notice: banner });
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return webhooksPage(desk, refusedWebhook(say, form, error));
  }
}
