import { createWebhook } from '../../../db/actions/webhooks.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import { MAX_INTEGER, parseRecordId } from '../../../db/schema/values/record-id.ts';
import { makeSecret } from '../../../db/schema/webhook.ts';
import {
  changeWebhook,
  type Delivery,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  resendDelivery,
  resendFrom,
  type Webhook,
} from '../../../db/sql/webhooks.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { sendTest } from '../../routes/restaurant/webhooks.ts';
import { type Desk, findPathRecord } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { type FormState, formFields, readFormFields, refusedForm } from '../forms/action-form.ts';
import { actionForm, doneNotice, refusal, staleForm } from '../pages/fields.ts';
import { gonePage } from '../pages/message-page.ts';
import { momentElement } from '../pages/moment.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import {
  newSecret,
  sayEvent,
  stateOf,
  troubleOf,
  WEBHOOK_FIELDS,
  WEBHOOK_TEXTS,
  WEBHOOKS_PATH,
} from './webhooks-page.ts';

/** Changes that the address of the page tells of afterwards. */
const DONE = {
  saved: 'webhooks.saved',
  tested: 'webhooks.tested',
  resent: 'webhooks.resent',
} as const satisfies Record<string, TextKey>;
type Done = keyof typeof DONE;

const pathOf = ({ id }: Webhook) => `${WEBHOOKS_PATH}/${id}`;

const formOf = (desk: Desk, webhook: Webhook, what: string, inner: Content) =>
  actionForm(desk.request, pathOf(webhook), what, inner, true);

function deliveryItem(desk: Desk, webhook: Webhook, delivery: Delivery): Html {
  const { say } = desk.request;
  const { id, event, version, state, attempts, status, error, attempted_at, created_at } = delivery;
  const answer = status === null ? error : say('webhooks.answer', { status });
  const title = version === null ? sayEvent(say, event) : `${sayEvent(say, event)} · ${version}`;
  const kind = { waiting: 'due', delivered: 'active', failed: 'revoked' }[state];
  const again = say('webhooks.resend');
  const button = html`<input type="hidden" name="delivery" value="${id}">
<button class="button" aria-label="${again}: ${title}, ${id}">${again}</button>`;
  return html`<li class="token">
  <div class="token-head"><h3>${title}</h3><span class="state ${kind}">${say(`webhooks.states.${state}`)}</span></div>
  <div><p>${momentElement(desk, new Date(attempted_at ?? created_at))} ·
  ${say('webhooks.attempts', { n: attempts })}</p>
  ${answer !== null && html`<p class="hint">${answer}</p>`}</div>
  ${state !== 'waiting' && formOf(desk, webhook, 'resend', button)}
</li>`;
}

function resendPart(desk: Desk, webhook: Webhook): Html {
  const { say } = desk.request;
  return html`<section class="card part"><h2>${say('webhooks.from')}</h2>
${formOf(
  desk,
  webhook,
  'from',
  html`<div class="field"><label for="version">${say('webhooks.version')}</label><p class="hint" id="version-hint">${say('webhooks.fromHint')}</p>
<input id="version" name="version" type="text" inputmode="numeric" autocomplete="off" aria-describedby="version-hint"></div>
<button class="button">${say('webhooks.fromSubmit')}</button>`,
)}</section>`;
}

function webhookContent(
  desk: Desk,
  webhook: Webhook,
  deliveries: readonly Delivery[],
  state: FormState,
): Html {
  const { say } = desk.request;
  const checked = webhook.is_active && html` checked`;
  const save = html`${formFields(say, WEBHOOK_FIELDS, state)}
<div class="choice"><input type="checkbox" name="is_active" value="1" id="is_active"${checked}>
<label for="is_active">${say('webhooks.isActive')}</label><p class="hint">${say('webhooks.isActiveHint')}</p></div>
<button class="main">${say('webhooks.save')}</button>`;
  const rotate = html`<p class="hint">${say('webhooks.rotateHint')}</p><button class="button">${say('webhooks.rotate')}</button>`;
  const remove = html`<p>${say('webhooks.removeEffect')}</p><button class="bad main">${say('webhooks.remove')}</button>`;
  const test = html`<button class="button">${say('webhooks.test')}</button>`;
  return html`<section class="card part">${formOf(desk, webhook, 'save', save)}</section>
<section class="card part" aria-labelledby="deliveries"><h2 id="deliveries">${say('webhooks.deliveries')}</h2>
${formOf(desk, webhook, 'test', test)}
${
  deliveries.length === 0
    ? html`<p class="hint">${say('webhooks.noDeliveries')}</p>`
    : html`<ul class="tokens">${deliveries.map((one) => deliveryItem(desk, webhook, one))}</ul>`
}</section>
${webhook.is_active && resendPart(desk, webhook)}
<section class="card part">${formOf(desk, webhook, 'rotate', rotate)}</section>
<section class="card part">${formOf(desk, webhook, 'remove', remove)}</section>`;
}

const valuesOf = ({ url, events }: Webhook) => ({ url, events });

async function webhookPage(desk: Desk, webhook: Webhook, state: FormState): Promise<Answer> {
  const { db, request } = desk;
  const { say, tenantId } = request;
  const deliveries = await listDeliveries(db, tenantId, webhook.id);
  const { text, kind } = stateOf(say, webhook);
  const content = html`<p class="way"><a href="${WEBHOOKS_PATH}">‹ ${say('webhooks.title')}</a></p>
<div class="opening"><h1 class="address" translate="no">${webhook.url}</h1>
<p><span class="state ${kind}">${text}</span></p>${troubleOf(desk, webhook)}</div>
${state.notice ?? null}
${webhookContent(desk, webhook, deliveries, { values: valuesOf(webhook), ...state })}`;
  return deskPage(desk, {
    status: state.status,
    title: say('webhooks.title'),
    content,
    place: 'webhooks',
  });
}

const gone = (desk: Desk) => gonePage(desk, desk.request.say('webhooks.gone'), 'webhooks');

/** `GET /admin/webhooks/{id}`, with word of what was just done: the address says it. */
export async function showWebhook(desk: Desk): Promise<Answer> {
  const webhook = await findPathRecord(desk, findWebhook);
  if (!webhook) return gone(desk);
  return webhookPage(desk, webhook, { notice: doneNotice(desk.request, DONE) });
}

const UNCHANGED = { url: null, events: null, isActive: null, secret: null };

async function save(desk: Desk, webhook: Webhook, sent: Form): Promise<Answer | Done> {
  const { db, request } = desk;
  const values = readFormFields(sent, WEBHOOK_FIELDS);
  const checked = checkInput(createWebhook.input, values);
  if ('errors' in checked) {
    const refused = refusedForm(request.say, checked.errors, { texts: WEBHOOK_TEXTS });
    return webhookPage(desk, webhook, { ...refused, values });
  }
  const { url, events } = checked.input;
  const isActive = sent.text('is_active') === '1';
  await changeWebhook(db, request.tenantId, webhook.id, {
    ...{ url: url === webhook.url ? null : url, events, secret: null },
    isActive: isActive === webhook.is_active ? null : isActive,
  });
  return 'saved';
}

/** Makes a new secret, and shows it, this once. */
async function rotate(desk: Desk, webhook: Webhook): Promise<Answer> {
  const { db, request } = desk;
  const secret = makeSecret();
  await changeWebhook(db, request.tenantId, webhook.id, { ...UNCHANGED, secret });
  const banner = newSecret(request, webhook.url, secret);
  return webhookPage(desk, webhook, { status: '201 Created', notice: banner });
}

async function sendFrom(desk: Desk, webhook: Webhook, text: string): Promise<Answer | Done> {
  const { db, request } = desk;
  const version = parseRecordId(text) ?? MAX_INTEGER + 1;
  const isSent =
    version <= MAX_INTEGER && (await resendFrom(db, request.tenantId, webhook.id, version));
  if (isSent) return 'resent';
  return webhookPage(desk, webhook, refusal(request.say('webhooks.versionWrong')));
}

async function act(desk: Desk, webhook: Webhook, form: Form): Promise<Answer | Done> {
  const { db, request, now } = desk;
  const { tenantId, context } = request;
  switch (form.text('do')) {
    case 'save':
      return save(desk, webhook, form);
    case 'rotate':
      return rotate(desk, webhook);
    case 'test':
      await sendTest(db, context.restaurant.tenant, webhook.id, now());
      return 'tested';
    case 'resend':
      await resendDelivery(db, tenantId, webhook.id, parseRecordId(form.text('delivery')) ?? 0);
      return 'resent';
    case 'from':
      return sendFrom(desk, webhook, form.text('version'));
    case 'remove':
      await deleteWebhook(db, tenantId, webhook.id);
      return redirectAnswer(request, `${WEBHOOKS_PATH}?removed=1`);
    default:
      return webhookPage(desk, webhook, {});
  }
}

/** `POST /admin/webhooks/{id}`: whatever a form of the webhook's page asks for. */
export async function changeWebhookByForm(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const form = await readForm(request.context);
  const webhook = await findPathRecord(desk, findWebhook);
  if (!webhook) return gone(desk);
  if (!isOwnForm(request, form.text('form_token'))) {
    return webhookPage(desk, webhook, staleForm(request));
  }
  const done = await act(desk, webhook, form);
  if (typeof done !== 'string') return done;
  return redirectAnswer(request, `${pathOf(webhook)}?done=${done}`);
}
