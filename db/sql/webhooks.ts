import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { deliverySchema, webhookSchema } from '../schema/webhook.ts';

// Webhooks and their deliveries.

const shown = v.pipe(
  v.date(),
  v.transform((at) => at.toISOString()),
);
const shownOrNull = v.nullable(shown);

const webhookRow = v.object({
  ...webhookSchema.entries,
  ...{ failing_since: shownOrNull, switched_off_at: shownOrNull },
  ...{ created_at: shown, updated_at: shown },
});
export type Webhook = v.InferOutput<typeof webhookRow>;
const columns = sql.fragment`
  id, url, events, is_active, failing_since, switched_off_at, created_at, updated_at
`;

const deliveryRow = v.object({
  ...deliverySchema.entries,
  ...{ attempted_at: shownOrNull, created_at: shown },
});
export type Delivery = v.InferOutput<typeof deliveryRow>;
const deliveryColumns = sql.fragment`
  id, message_id, event, version, state, attempts, status, error, attempted_at, created_at
`;

const behindSchema = v.object({ tenant_id: v.number(), id: v.number() });
/** Names a webhook. */
export type WebhookKey = v.InferOutput<typeof behindSchema>;

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
  /** The form that asks for it, which makes one however often it is sent; null: no form. */
  formId?: string | null;
}

/**
 * It is told of versions from now on; null when the form has made one before, and when the restaurant
 * has as many as it may have.
 */
export function createWebhook(db: Db, webhook: NewWebhook): Promise<Webhook | null> {
  const { tenantId, url, events, isActive, secret, formId = null } = webhook;
  return db.maybeOne(sql.type(webhookRow)`
    with tenant as (select id, version from tenants where id = ${tenantId} for update)
    insert into webhooks (tenant_id, url, events, is_active, secret, version, form_id)
    select id, ${url}, ${sql.array(events, 'text')}, ${isActive}, ${secret}, version,
      ${formId}::uuid
    from tenant
    where (select count(*) from webhooks where tenant_id = ${tenantId}) < ${constants.maxWebhooks}
    on conflict (tenant_id, form_id) where form_id is not null do nothing
    returning ${columns}
  `);
}

/** The webhook that a form has made, or null. */
export function findWebhookOfForm(db: Db, tenantId: number, formId: string) {
  return db.maybeOne(sql.type(webhookRow)`
    select ${columns} from webhooks where tenant_id = ${tenantId} and form_id = ${formId}::uuid
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
        else now() + ${`${constants.formerSecretHours} hours`}::interval end,
      secret = coalesce(${secret}, secret),
      is_urgent = is_urgent or ${isActive !== null || url !== null},
      updated_at = now()
    where tenant_id = ${tenantId} and id = ${id}
    returning ${columns}
  `);
}

/** @returns whether there was one */
export async function deleteWebhook(db: Db, tenantId: number, id: number): Promise<boolean> {
  const gone = await db.run(sql.nothing`
    delete from webhooks where tenant_id = ${tenantId} and id = ${id}
  `);
  return gone > 0;
}

/** The last deliveries of a webhook, the newest first. */
export function listDeliveries(db: Db, tenantId: number, webhookId: number) {
  return db.any(sql.type(deliveryRow)`
    select ${deliveryColumns} from webhook_deliveries
    where tenant_id = ${tenantId} and webhook_id = ${webhookId}
    order by id desc limit ${constants.maxListedDeliveries}
  `);
}

/**
 * Lets all messages from a version on be made and sent once more, in order and under the same ids.
 * Null when there is no such webhook, or none that is switched on.
 */
export function resendFrom(db: Db, tenantId: number, id: number, version: number) {
  return db.maybeOne(sql.type(webhookRow)`
    with webhook as (
      update webhooks set version = least(version, ${version}::int8 - 1), is_urgent = true
      where tenant_id = ${tenantId} and id = ${id} and is_active
      returning *
    ), gone as (
      delete from webhook_deliveries d using webhook w
      where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.version >= ${version}
    )
    select ${columns} from webhook
  `);
}

/** Webhooks for which somebody does not want to wait until the next attempt; each is given once. */
export function takeUrgentWebhooks(db: Db): Promise<readonly WebhookKey[]> {
  return db.any(sql.type(behindSchema)`
    update webhooks set is_urgent = false where is_urgent returning tenant_id, id
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
    with urgent as (
      update webhooks set is_urgent = true where tenant_id = ${tenantId} and id = ${webhookId}
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
  const hurry = isUrgent
    ? sql.fragment`
        with urgent as (
          update webhooks set is_urgent = true where tenant_id = ${tenantId} and id = ${webhookId}
        )
      `
    : sql.fragment``;
  await db.run(sql.nothing`
    ${hurry}
    insert into webhook_deliveries (tenant_id, webhook_id, message_id, event, version, payload)
    select ${tenantId}, ${webhookId}, "messageId", event, version, payload
    from json_to_recordset(${JSON.stringify(messages)}::json)
      as m ("messageId" text, event text, version bigint, payload text)
    on conflict do nothing
  `);
}

/** Some webhooks that lack deliveries of the last versions. */
export function findWebhooksBehind(db: Db, limit: number): Promise<readonly WebhookKey[]> {
  return db.any(sql.type(behindSchema)`
    select w.tenant_id, w.id from webhooks w join tenants t on t.id = w.tenant_id
    where w.is_active and w.version < t.version limit ${limit}
  `);
}

const waitingSchema = v.object({
  ...behindSchema.entries,
  /** With its port; null for an address that has none. */
  host: v.nullable(v.string()),
  is_stalled: v.boolean(),
});

/**
 * Some webhooks that have deliveries to send. Those that fail leave room for the others, and share
 * their own by chance. One is stalled when its receiver did not fail and a delivery waits for longer
 * than `stalledAfter` ms all the same: its worker was killed.
 */
export function findWebhooksWaiting(db: Db, limit: number, stalledAfter: number) {
  const waiting = (more: Fragment) => sql.fragment`exists (
    select from webhook_deliveries d
    where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.state = 'waiting' ${more}
  )`;
  const host = sql.fragment`substring(lower(w.url) from '^[a-z]+://([^/?#]+)') as host`;
  const longer = sql.fragment`and d.created_at < now() - make_interval(secs => ${stalledAfter / 1_000})`;
  return db.any(sql.type(waitingSchema)`
    (
      select w.tenant_id, w.id, ${host}, ${waiting(longer)} as is_stalled from webhooks w
      where w.is_active and w.failing_since is null and ${waiting(sql.fragment``)} limit ${limit}
    ) union all (
      select w.tenant_id, w.id, ${host}, false from webhooks w
      where w.is_active and w.failing_since is not null and ${waiting(sql.fragment``)}
      order by random() limit ${limit}
    )
  `);
}

const lockedSchema = v.object({
  slug: v.string(),
  events: v.array(v.string()),
  version: v.number(),
});

/** Locks a webhook that is active; null when another worker has it, or when it is gone. */
export function lockWebhook(db: Db, { tenant_id, id }: WebhookKey) {
  return db.maybeOne(sql.type(lockedSchema)`
    select t.slug, w.events, w.version from webhooks w join tenants t on t.id = w.tenant_id
    where w.tenant_id = ${tenant_id} and w.id = ${id} and w.is_active for update of w skip locked
  `);
}

export async function advanceWebhook(
  db: Db,
  { tenant_id, id }: WebhookKey,
  version: number,
): Promise<void> {
  await db.run(sql.nothing`
    update webhooks set version = ${version} where tenant_id = ${tenant_id} and id = ${id}
  `);
}

const dueSchema = v.object({
  url: v.string(),
  secret: v.string(),
  former_secret: v.nullable(v.string()),
  tenant_id: v.number(),
  /** In ms; null when the last attempt succeeded. */
  failing_for: v.nullable(v.number()),
  ...{ delivery_id: v.number(), message_id: v.string(), payload: v.string() },
});
export type DueDelivery = v.InferOutput<typeof dueSchema>;

/** The first delivery that waits for an active webhook; null for none. */
export function findDueDelivery(db: Db, { tenant_id, id }: WebhookKey) {
  return db.maybeOne(sql.type(dueSchema)`
    select w.tenant_id, w.url, w.secret,
      case when w.former_secret_until > now() then w.former_secret end as former_secret,
      (extract(epoch from now() - w.failing_since) * 1000)::float8 as failing_for,
      d.id as delivery_id, d.message_id, d.payload
    from webhooks w join webhook_deliveries d on d.tenant_id = w.tenant_id and d.webhook_id = w.id
    where w.tenant_id = ${tenant_id} and w.id = ${id} and w.is_active and d.state = 'waiting'
    order by d.id limit 1
  `);
}

/** The result of one attempt. */
export interface DeliveryAttempt {
  status: number | null;
  /** Null when the receiver has taken the message. */
  error: string | null;
}

/**
 * Writes down an attempt. After too long without a success, the webhook is switched off.
 *
 * @param isLast whether it is switched off
 */
export async function noteAttempt(
  db: Db,
  { tenant_id, id }: WebhookKey,
  deliveryId: number,
  { status, error }: DeliveryAttempt,
  isLast: boolean,
): Promise<void> {
  const state = error === null ? 'delivered' : isLast ? 'failed' : 'waiting';
  await db.run(sql.nothing`
    with noted as (
      update webhook_deliveries set attempts = attempts + 1, status = ${status}, error = ${error},
        attempted_at = now(), state = ${state}
      where tenant_id = ${tenant_id} and id = ${deliveryId}
    )
    update webhooks set
      failing_since = case when ${error}::text is null then null
        else coalesce(failing_since, now()) end,
      is_active = is_active and not ${isLast},
      switched_off_at = case when ${isLast} then now() else switched_off_at end
    where tenant_id = ${tenant_id} and id = ${id}
      and (${isLast} or (failing_since is null) <> (${error}::text is null))
  `);
}

/** Forgets deliveries that are older than so many days and do not wait; returns how many. */
export function removeOldDeliveries(db: Db, days: number, limit: number): Promise<number> {
  return db.run(sql.nothing`
    delete from webhook_deliveries where (tenant_id, id) in (
      select tenant_id, id from webhook_deliveries
      where created_at < now() - ${`${days} days`}::interval and state <> 'waiting'
      order by created_at limit ${limit}
    )
  `);
}
