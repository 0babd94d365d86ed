import { createWebhook } from '../../../db/actions/webhooks.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
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
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { sendTest } from '../../routes/restaurant/webhooks.ts';
import { byPath, type Desk } from '../desk.ts';
import {
  type FormField,
  type FormState,
  formFields,
  formInput,
  formValues,
  readFormFields,
} from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { actionForm, refusal } from '../pages/fields.ts';
import { gonePage } from '../pages/message-page.ts';
import { momentElement } from '../pages/moment.ts';
import { redirectAnswer, titledPage } from '../pages/page.ts';
import {
  newSecret,
  sayEvent,
  stateOf,
  troubleOf,
  WEBHOOK_FIELDS,
  WEBHOOK_TEXTS,
  WEBHOOKS_PATH,
} from './webhooks-page.ts';

const FIELDS: readonly FormField[] = [
  ...WEBHOOK_FIELDS,
  {
    ...{ kind: 'flag', name: 'is_active', label: 'webhooks.isActive' },
    hint: 'webhooks.isActiveHint',
  },
];

const VERSION_FIELD: FormField = {
  ...{ kind: 'number', name: 'version', label: 'webhooks.version', hint: 'webhooks.fromHint' },
};

const pathOf = ({ id }: Webhook) => `${WEBHOOKS_PATH}/${id}`;

const formOf = (desk: Desk, webhook: Webhook, what: string, inner: Content) =>
  actionForm(desk.request, pathOf(webhook), what, inner, true);

function deliveryItem(desk: Desk, webhook: Webhook, delivery: Delivery): Html {
  const { say } = desk;
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
  const { say } = desk;
  const inner = html`${formFields(say, [VERSION_FIELD], {})}
<button class="button">${say('webhooks.fromSubmit')}</button>`;
  return html`<section class="card part"><h2>${say('webhooks.from')}</h2>
${formOf(desk, webhook, 'from', inner)}</section>`;
}

function webhookContent(
  desk: Desk,
  webhook: Webhook,
  deliveries: readonly Delivery[],
  state: FormState,
): Html {
  const { say } = desk;
  const save = html`${formFields(say, FIELDS, state)}
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

async function page(desk: Desk, webhook: Webhook, state: FormState): Promise<Answer> {
  const { db, say, tenantId } = desk;
  const deliveries = await listDeliveries(db, tenantId, webhook.id);
  const { text, kind } = stateOf(say, webhook);
  const title = say('webhooks.title');
  return titledPage(desk, {
    ...{ state, title, way: [WEBHOOKS_PATH, title], place: 'webhooks' },
    heading: html`<h1 class="address" translate="no">${webhook.url}</h1>`,
    opening: html`<p><span class="state ${kind}">${text}</span></p>${troubleOf(desk, webhook)}`,
    content: webhookContent(desk, webhook, deliveries, { values: formValues(webhook), ...state }),
  });
}

const gone = (desk: Desk) => gonePage(desk, desk.say('webhooks.gone'), 'webhooks');

const UNCHANGED = { url: null, events: null, isActive: null, secret: null };

/** `/admin/webhooks/{id}` */
export const webhookPage: RecordPage<Webhook> = {
  find: byPath(findWebhook),
  gone,
  page,
  fields: () => FIELDS,
  texts: WEBHOOK_TEXTS,
  done: { saved: 'webhooks.saved', tested: 'webhooks.tested', resent: 'webhooks.resent' },
  acts: {
    save: async ({ db, tenantId }, webhook, form) => {
      const input = formInput(createWebhook.input, readFormFields(form, FIELDS));
      const { url, events, is_active: isActive } = input;
      await changeWebhook(db, tenantId, webhook.id, {
        ...{ url: url === webhook.url ? null : url, events, secret: null },
        isActive: isActive === webhook.is_active ? null : isActive,
      });
      return 'saved';
    },
    // Makes a new secret, and shows it, this once.
    rotate: async (desk, webhook) => {
      const { db, request, tenantId } = desk;
      const secret = makeSecret();
      await changeWebhook(db, tenantId, webhook.id, { ...UNCHANGED, secret });
      const notice = newSecret(request, webhook.url, secret);
      return page(desk, webhook, { status: '201 Created', notice });
    },
    test: async ({ db, request, now }, { id }) => {
      await sendTest(db, request.context.restaurant.tenant, id, now());
      return 'tested';
    },
    resend: async ({ db, tenantId }, { id }, form) => {
      await resendDelivery(db, tenantId, id, parseRecordId(form.text('delivery')) ?? 0);
      return 'resent';
    },
    from: async (desk, webhook, form) => {
      const { db, say, tenantId } = desk;
      const version = parseRecordId(form.text('version'));
      const isSent = version !== null && (await resendFrom(db, tenantId, webhook.id, version));
      if (isSent) return 'resent';
      return page(desk, webhook, refusal(say('webhooks.versionWrong')));
    },
    remove: async ({ db, request, tenantId }, { id }) => {
      await deleteWebhook(db, tenantId, id);
      return redirectAnswer(request, `${WEBHOOKS_PATH}?removed=1`);
    },
  },
};
