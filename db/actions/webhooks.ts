import { constants } from '../runtime/constants.ts';
import { InvalidError } from '../schema/validation/invalid-error.ts';
import { broken } from '../schema/validation/rule.ts';
import { makeSecret, webhookInput } from '../schema/webhook.ts';
import { insertWebhook, type Webhook } from '../sql/webhooks.ts';
import type { RestaurantAction } from './action.ts';

/** Makes a webhook, which is told of versions from now on. The result has its secret. */
export const createWebhook: RestaurantAction<typeof webhookInput, Webhook & { secret: string }> = {
  input: webhookInput,
  work: async (db, { tenantId }, { url, events, is_active: isActive }) => {
    const secret = makeSecret();
    const made = await insertWebhook(db, { tenantId, url, events, isActive, secret });
    if (made) return { ...made, secret };
    throw new InvalidError({ webhooks: [broken('maxItems', { max: constants.maxWebhooks })] });
  },
};
