import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { isoDate } from '../schema/validation/date-fields.ts';
import { deliverySchema, webhookSchema } from '../schema/webhook.ts';

// Webhooks and their deliveries.

/** For how many hours the secret before signs as well. */
const FORMER_SECRET_HOURS = 24;

/** Deliveries of a webhook that are listed. */
const MAX_LISTED_DELIVERIES = 100;

const isoDateOrNull = v.nullable(isoDate);

const webhookRow = v.object({
  ...webhookSchema.entries,
  ...{ failing_since: isoDateOrNull, switched_off_at: isoDateOrNull },
  ...{ created_at: isoDate, updated_at: isoDate },
});
export type Webhook = v.InferOutput<typeof webhookRow>;
const columns = sql.columnsOf(webhookRow);

const deliveryRow = v.object({
  ...deliverySchema.entries,
  ...{ attempted_at: isoDateOrNull, created_at: isoDate },
});
export type Delivery = v.InferOutput<typeof deliveryRow>;
const deliveryColumns = sql.columnsOf(deliveryRow);

export const webhookKeySchema = v.object({ tenant_id: v.number(), id: v.number() });
export type WebhookKey = v.InferOutput<typeof webhookKeySchema>;

export function listWebhooks(db: Db, tenantId: number): Promise<readonly Webhook[]> {
  return db.any(sql.type(webhookRow)`
    select ${columns} from webhooks where tenant_id = ${tenantId} order by id
  `);
}

export function findWebhook(db: Db, tenantId: number, id: number): Promise<Webhook | null> {
  return db.maybeOne(sql.type(webhookRow)`
    select ${columns} from webhooks where tenant_id = ${tenantId} and id = ${id}
  `);
}

/** A receiver, and the events that it is told of. */
interface NewWebhook {
  tenantId: number;
  url: string;
  events: readonly string[];
  isActive: boolean;
  secret: string;
}

/**
 * It is told of versions from now on; null when the restaurant has as many as it may have. The
 * restaurant's actions are locked.
 */
export function insertWebhook(db: Db, webhook: NewWebhook): Promise<Webhook | null> {
  const { tenantId, url, events, isActive, secret } = webhook;
  return db.maybeOne(sql.type(webhookRow)`
    insert into webhooks (tenant_id, url, events, is_active, secret, version)
    select id, ${url}, ${sql.array(events, 'text')}, ${isActive}, ${secret}, version
    from tenants where id = ${tenantId}
      and (select count(*) from webhooks where tenant_id = ${tenantId}) < ${constants.maxWebhooks}
    returning ${columns}
  `);
}

/** Values that are null stay as they are. */
interface WebhookChange {
  url: string | null;
  events: readonly string[] | null;
  isActive: boolean | null;
  /** Replaces the present one, which signs as well for a day. */
  secret: string | null;
}

/**
 * Changes a webhook. One that somebody had switched off is told of the versions from then on. One that
 * was switched off because it failed is told of all that it missed. Null when there is no such webhook.
 */
export function changeWebhook(
  db: Db,
  tenantId: number,
  id: number,
  { url, events, isActive, secret }: WebhookChange,
): Promise<Webhook | null> {
  const isHurried = isActive !== null || url !== null;
  const list = events === null ? sql.fragment`null::text[]` : sql.array(events, 'text');
  return db.maybeOne(sql.type(webhookRow)`
    update webhooks w set
      url = coalesce(${url}, url),
      events = coalesce(${list}, events),
      version = case when ${isActive}::bool and not is_active and switched_off_at is null
        then (select t.version from tenants t where t.id = w.tenant_id) else version end,
      failing_since = case when ${isActive}::bool then null else failing_since end,
      switched_off_at = case when ${isActive}::bool then null else switched_off_at end,
      is_active = coalesce(${isActive}::bool, is_active),
      former_secret = case when ${secret}::text is null then former_secret else secret end,
      former_secret_until = case when ${secret}::text is null then former_secret_until
        else now() + ${`${FORMER_SECRET_HOURS} hours`}::interval end,
      secret = coalesce(${secret}, secret),
      failures = case when ${isHurried} then 0 else failures end,
      next_try_at = case when ${isHurried} then now() else next_try_at end,
      updated_at = now()
    where tenant_id = ${tenantId} and id = ${id}
    returning ${columns}
  `);
}

/** @returns whether there was one */
export function deleteWebhook(db: Db, tenantId: number, id: number): Promise<boolean> {
  return db.touches(sql.nothing`
    delete from webhooks where tenant_id = ${tenantId} and id = ${id}
  `);
}

/** The last deliveries of a webhook, the newest first. */
export function listDeliveries(db: Db, tenantId: number, webhookId: number) {
  return db.any(sql.type(deliveryRow)`
    select ${deliveryColumns} from webhook_deliveries
    where tenant_id = ${tenantId} and webhook_id = ${webhookId}
    order by id desc limit ${MAX_LISTED_DELIVERIES}
  `);
}

/**
 * Lets all messages from a version on be made and sent once more, in order and under the same ids.
 * Null when there is no such webhook, or none that is switched on.
 */
export function resendFrom(db: Db, tenantId: number, id: number, version: number) {
  return db.maybeOne(sql.type(webhookRow)`
    with webhook as (
      update webhooks set version = least(version, ${version}::int8 - 1), next_try_at = now()
      where tenant_id = ${tenantId} and id = ${id} and is_active
      returning *
    ), gone as (
      delete from webhook_deliveries d using webhook w
      where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.version >= ${version}
    )
    select ${columns} from webhook
  `);
}

/** How many webhooks were switched off because they failed. */
export function countSwitchedOff(db: Db, tenantId: number): Promise<number> {
  return db.one(sql.value(v.number())`
    select count(*)::int4 as count from webhooks
    where tenant_id = ${tenantId} and switched_off_at is not null
  `);
}

/** Lets a delivery be sent once more, under the same message id; null when there is none. */
export function resendDelivery(db: Db, tenantId: number, webhookId: number, id: number) {
  return db.maybeOne(sql.type(deliveryRow)`
    with hurried as (
      update webhooks set next_try_at = now() where tenant_id = ${tenantId} and id = ${webhookId}
    )
    update webhook_deliveries set state = 'waiting'
    where tenant_id = ${tenantId} and webhook_id = ${webhookId} and id = ${id}
    returning ${deliveryColumns}
  `);
}

/** A message for a receiver. */
export interface NewDelivery {
  messageId: string;
  event: string;
  version: number | null;
  payload: string;
}

/**
 * Adds messages behind those that wait; one that is there already is not added again.
 *
 * @param isUrgent whether the receiver is not to wait until the next attempt
 */
export async function addDeliveries(
  db: Db,
  tenantId: number,
  webhookId: number,
  messages: readonly NewDelivery[],
  isUrgent = false,
): Promise<void> {
  await db.run(sql.nothing`
    with woken as (
      -- Also where nothing changes: the lock lets a worker that finds no message see these.
      update webhooks set next_try_at = case when ${isUrgent} then now()
        else coalesce(next_try_at, now()) end
      where tenant_id = ${tenantId} and id = ${webhookId}
    )
    insert into webhook_deliveries (tenant_id, webhook_id, message_id, event, version, payload)
    select ${tenantId}, ${webhookId}, "messageId", event, version, payload
    from json_to_recordset(${JSON.stringify(messages)}::json)
      as m ("messageId" text, event text, version bigint, payload text)
    on conflict (tenant_id, webhook_id, message_id) do nothing
  `);
}

/**
 * Some webhooks that lack deliveries of the last versions.
 *
 * @param tenantIds those of these restaurants; without it, of all
 */
export function findWebhooksBehind(
  db: Db,
  limit: number,
  tenantIds?: readonly number[],
): Promise<readonly WebhookKey[]> {
  const own = tenantIds
    ? sql.fragment`and w.tenant_id = any (${sql.array(tenantIds, 'int4')})`
    : sql.fragment``;
  return db.any(sql.type(webhookKeySchema)`
    select w.tenant_id, w.id from webhooks w join tenants t on t.id = w.tenant_id
    where w.is_active and w.version < t.version ${own} limit ${limit}
  `);
}

const lockedSchema = v.object({
  slug: v.string(),
  events: v.array(v.string()),
  version: v.number(),
});

/**
 * Locks a webhook that is active; null when it is gone.
 *
 * @param waits for those who have it, also to send; else it is null then, too
 */
export function lockWebhook(db: Db, { tenant_id, id }: WebhookKey, waits: boolean) {
  const ifLocked = waits ? sql.fragment`` : sql.fragment`skip locked`;
  return db.maybeOne(sql.type(lockedSchema)`
    select t.slug, w.events, w.version from webhooks w join tenants t on t.id = w.tenant_id
    where w.tenant_id = ${tenant_id} and w.id = ${id} and w.is_active for update of w ${ifLocked}
  `);
}

export async function advanceWebhook(db: Db, { tenant_id, id }: WebhookKey, version: number) {
  await db.run(sql.nothing`
    update webhooks set version = ${version} where tenant_id = ${tenant_id} and id = ${id}
  `);
}

/** Forgets deliveries that are older than so many days and do not wait; returns how many. */
export function removeOldDeliveries(db: Db, days: number, limit: number): Promise<number> {
  return db.count(sql.nothing`
    delete from webhook_deliveries where (tenant_id, id) in (
      select tenant_id, id from webhook_deliveries
      where created_at < now() - ${`${days} days`}::interval and state <> 'waiting'
      order by created_at limit ${limit}
    )
  `);
}
