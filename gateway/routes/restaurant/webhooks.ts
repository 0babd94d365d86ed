import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { createWebhook } from '../../../db/actions/webhooks.ts';
import type { Db } from '../../../db/postgres/sql.ts';
import { broken } from '../../../db/schema/validation/rule.ts';
import {
  deliverySchema,
  makeSecret,
  newWebhookSchema,
  resendInput,
  TEST_EVENT,
  webhookChange,
  webhookSchema,
} from '../../../db/schema/webhook.ts';
import {
  addDeliveries,
  changeWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  resendFrom,
} from '../../../db/sql/webhooks.ts';
import { metaSchema } from '../../http/envelope.ts';
import { InvalidError, NotFoundError } from '../../http/errors.ts';
import { pathId } from '../../http/path.ts';
import { ignoredQuery } from '../../http/query.ts';
import { createEndpoints, dataAnswer, describeAnswers } from '../frame/endpoints.ts';
import type { ApiRoute } from '../frame/services.ts';

const example = {
  ...{ id: 3, url: 'https://till.example.com/lavagna', events: ['menu.version'], is_active: true },
  ...{ failing_since: null, switched_off_at: null },
  ...{ created_at: '2026-01-15T18:30:00.000Z', updated_at: '2026-01-15T18:30:00.000Z' },
};
const delivery = {
  ...{ id: 41, message_id: 'msg_2Xh0', event: 'menu.version', version: 12, state: 'delivered' },
  ...{ attempts: 1, status: 204, error: null },
  ...{ attempted_at: '2026-01-15T18:30:01.000Z', created_at: '2026-01-15T18:30:00.000Z' },
};

const webhookAnswer = describeAnswers('WebhookAnswer', newWebhookSchema, {
  ...example,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
});
const deliveryAnswer = describeAnswers(
  'DeliveryAnswer',
  deliverySchema,
  { ...delivery, state: 'waiting' },
  metaSchema,
);

const { route, listRoute, createRoute, showRoute, oneRoute, deleteRoute } = createEndpoints({
  path: '/admin/webhooks',
  tag: 'Webhooks',
  part: 'webhooks',
  isOfMenu: false,
  failure: 'could not reach the webhooks',
});

/** The two ids of a delivery's path. */
function deliveryIds(param: string): [webhook: number, delivery: number] {
  const [webhook = '', id = ''] = param.split('/');
  return [pathId(webhook), pathId(id)];
}

export const webhookRoutes: readonly ApiRoute[] = [
  listRoute(
    { id: 'listWebhooks', summary: 'List webhooks' },
    describeAnswers('WebhookList', v.array(webhookSchema), [example])('All of them.'),
    listWebhooks,
  ),
  createRoute(
    {
      id: 'createWebhook',
      summary: 'Create a webhook',
      details:
        'Messages are signed as Standard Webhooks says; `secret` verifies them and is shown once. ' +
        'Private addresses are refused when a message is sent. See `gateway/WEBHOOKS.md`.',
    },
    {
      action: createWebhook,
      body: { name: 'WebhookInput', example: { url: example.url, events: example.events } },
      answer: { ...webhookAnswer('The new webhook.'), headers: ['Location'] },
    },
  ),
  showRoute(
    { id: 'showWebhook', summary: 'Show a webhook' },
    webhookAnswer('The webhook, without its secret.'),
    findWebhook,
  ),
  oneRoute(
    'PATCH',
    '',
    {
      ...{ id: 'setWebhook', summary: 'Change a webhook, or its secret' },
      details:
        'One that was switched off because it had failed is told of all that it missed when it is ' +
        'switched on again.',
      body: { name: 'WebhookChange', schema: webhookChange, example: { rotate_secret: true } },
      answers: { 200: webhookAnswer('The webhook as it is now, with a secret that is new.') },
    },
    async (id, { tenant }, { db }, { url = null, events = null, is_active, rotate_secret }) => {
      const secret = rotate_secret ? makeSecret() : null;
      const change = { url, events, isActive: is_active ?? null, secret };
      const changed = await changeWebhook(db, tenant.id, id, change);
      return changed && { ...changed, ...(secret !== null && { secret }) };
    },
  ),
  deleteRoute(
    { id: 'deleteWebhook', summary: 'Delete a webhook and its deliveries' },
    'It is gone.',
    deleteWebhook,
  ),
  route(
    'GET',
    '/:id/deliveries',
    {
      id: 'listWebhookDeliveries',
      summary: 'List the last deliveries of a webhook, the newest first',
      parameters: ['Id'],
      answers: {
        200: describeAnswers('DeliveryList', v.array(deliverySchema), [delivery])('The last ones.'),
      },
      refusals: [414],
    },
    async ({ tenant, param, query }, { db }) => {
      const id = pathId(param);
      const ignored = ignoredQuery(query);
      if (!(await findWebhook(db, tenant.id, id))) throw new NotFoundError();
      return dataAnswer(await listDeliveries(db, tenant.id, id), ignored);
    },
  ),
  route(
    'POST',
    '/:id/test',
    {
      id: 'testWebhook',
      summary: 'Send a message that tests a webhook',
      parameters: ['Id'],
      answers: { 202: webhookAnswer('The message will be sent.') },
    },
    async ({ tenant, param, query }, { db, now }) => {
      const id = pathId(param);
      const webhook = await findWebhook(db, tenant.id, id);
      if (!webhook) throw new NotFoundError();
      await sendTest(db, tenant, id, now());
      return dataAnswer(webhook, ignoredQuery(query), { status: '202 Accepted' });
    },
  ),
  oneRoute(
    'POST',
    '/resend',
    {
      id: 'resendWebhookVersions',
      summary: 'Send all messages from a version on once more',
      details:
        'In order, under the same `webhook-id`s, as far as the history goes back. A webhook that is ' +
        'switched off is 422.',
      body: { name: 'ResendInput', schema: resendInput, example: { from_version: 12 } },
      answers: { 200: webhookAnswer('They will be sent.') },
    },
    async (id, { tenant }, { db }, { from_version: version }) => {
      const resent = await resendFrom(db, tenant.id, id, version);
      if (resent || !(await findWebhook(db, tenant.id, id))) return resent;
      throw new InvalidError({
        is_active: [broken('inState', { state: 'false', values: ['true'] })],
      });
    },
  ),
  route(
    'POST',
    '/:id/deliveries/:delivery/resend',
    {
      id: 'resendWebhookDelivery',
      summary: 'Send a message once more',
      details: 'Under the same `webhook-id`.',
      parameters: ['Id', 'Delivery'],
      answers: { 200: deliveryAnswer('It waits to be sent.') },
    },
    async ({ tenant, param }, { db }) => {
      const [webhook, id] = deliveryIds(param);
      const sent = await resendDelivery(db, tenant.id, webhook, id);
      if (!sent) throw new NotFoundError();
      return dataAnswer(sent);
    },
  ),
];

/** Lets a message be sent that says nothing. @param now milliseconds since 1970 */
export async function sendTest(
  db: Db,
  { id, slug }: { id: number; slug: string },
  webhookId: number,
  now: number,
): Promise<void> {
  const timestamp = new Date(now).toISOString();
  const payload = JSON.stringify({ type: TEST_EVENT, timestamp, data: { restaurant: slug } });
  const message = { messageId: `msg_${randomUUID()}`, event: TEST_EVENT, version: null, payload };
  await addDeliveries(db, id, webhookId, [message], true);
}
