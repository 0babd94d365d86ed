import { constants } from '../../../db/runtime/constants.ts';
import { makeSecret } from '../../../db/schema/webhook.ts';
import {
  createWebhook,
  findWebhookOfForm,
  listWebhooks,
  type Webhook,
} from '../../../db/sql/webhooks.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { hiddenFields, notice } from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { momentElement } from '../pages/moment.ts';
import { secretBanner } from '../pages/secret-banner.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { isFormId, newFormId } from '../writes/told.ts';
import {
  hasErrors,
  readWebhookForm,
  sayEvent,
  stateOf,
  WEBHOOKS_PATH,
  type WebhookForm,
  webhookFields,
} from './webhook-fields.ts';

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
  const { db, request } = desk;
  const { say, tenantId } = request;
  const sent = await readForm(request.context);
  const form = readWebhookForm(sent, say);
  const refuse = (status: string, text: string) =>
    webhooksPage(desk, { status, form, notice: notice('bad', text) });
  const formId = sent.text('form_id');
  if (!isOwnForm(request, sent.text('form_token')) || !isFormId(formId)) {
    return refuse('403 Forbidden', say('failures.stale'));
  }
  const invalid = '422 Unprocessable Content';
  if (hasErrors(form)) return refuse(invalid, say('webhooks.errors'));
  const { url, events } = form;
  const secret = makeSecret();
  const webhook = { tenantId, url, events, isActive: true, secret, formId };
  const made = await createWebhook(db, webhook);
  // The answer to the form, which showed the secret, is loaded again or was lost.
  const former = made ? null : await findWebhookOfForm(db, tenantId, formId);
  if (former) return webhooksPage(desk, { notice: notice('bad', say('webhooks.repeated')) });
  if (!made) return refuse(invalid, say('webhooks.full', { max: constants.maxWebhooks }));
  return webhooksPage(desk, {
    status: '201 Created',
    notice: newSecret(request, url, secret),
  });
}
