import * as v from 'valibot';
import type { Database } from '../postgres/connection.ts';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import type { Constants } from '../runtime/constants.ts';
import { type WebhookKey, webhookKeySchema } from './webhooks.ts';

// The turns in which workers send to receivers: a webhook's row says when it is due, and who has it.

const takenSchema = v.object({
  ...webhookKeySchema.entries,
  /** With its port; empty for an address that has none. */
  host: v.string(),
  is_failing: v.boolean(),
});
export type TakenWebhook = v.InferOutput<typeof takenSchema>;

/** Webhooks that are not taken now: those of these restaurants, and at these hosts. */
interface Busy {
  tenants: readonly number[];
  hosts: readonly string[];
  /** Whether none that fails is taken. */
  noFailing: boolean;
}

type Pauses = Pick<
  Constants,
  'webhookTimeout' | 'webhookAbandonedAfter' | 'webhookRetrySeconds' | 'maxWebhookRetrySeconds'
>;

/** For how many seconds a worker has a webhook that it sends to, unless it says so again. */
const leaseOf = ({ webhookTimeout, webhookAbandonedAfter }: Pauses) =>
  (webhookTimeout + webhookAbandonedAfter) / 1_000;

const leaseEnd = (pauses: Pauses) =>
  sql.fragment`now() + make_interval(secs => ${leaseOf(pauses)})`;

/** When a receiver is tried again, by its row's `failures` until now: each pause is twice as long. */
export const nextTry = ({
  webhookRetrySeconds: first,
  maxWebhookRetrySeconds: most,
}: Pick<Pauses, 'webhookRetrySeconds' | 'maxWebhookRetrySeconds'>) =>
  sql.fragment`now() + make_interval(secs => least(${first} * 2 ^ least(failures, 30), ${most}))`;

/**
 * A moment that is further away than `seconds` was written before the clock was set back. The clock
 * itself says so: `now()` is when this transaction began, and others may have written since.
 */
const isAhead = (moment: Fragment, seconds: number) => sql.fragment`coalesce(
  ${moment} > now() and ${moment} <= clock_timestamp() + make_interval(secs => ${seconds}), false
)`;

/**
 * Takes a webhook that has messages to send: those that do not fail first, and of them the one that
 * waits longest. Null when there is none.
 */
export function takeWebhook(db: Db, { tenants, hosts, noFailing }: Busy, pauses: Pauses) {
  const host = sql.fragment`coalesce(substring(lower(url) from '^[a-z]+://([^/?#]+)'), '')`;
  const isPaused = isAhead(sql.fragment`next_try_at`, pauses.maxWebhookRetrySeconds);
  const isTaken = isAhead(sql.fragment`taken_until`, leaseOf(pauses));
  return db.maybeOne(sql.type(takenSchema)`
    with free as (
      select tenant_id, id from webhooks
      where next_try_at is not null and is_active and not ${isPaused} and not ${isTaken}
        and tenant_id <> all (${sql.array(tenants, 'int4')})
        and ${host} <> all (${sql.array(hosts, 'text')})
        and not (${noFailing} and failures > 0)
      order by failures > 0, next_try_at limit 1 for update skip locked
    )
    update webhooks w set taken_until = ${leaseEnd(pauses)} from free
    where w.tenant_id = free.tenant_id and w.id = free.id
    returning w.tenant_id, w.id, ${host} as host, failures > 0 as is_failing
  `);
}

/** Gives a webhook back. It is taken again when messages wait, also those that came meanwhile. */
export async function giveBackWebhook(db: Database, { tenant_id, id }: WebhookKey): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql.nothing`
      select from webhooks where tenant_id = ${tenant_id} and id = ${id} for update
    `);
    await tx.run(sql.nothing`
      update webhooks w set taken_until = null, next_try_at = case when ${hasWaiting} then now() end
      where tenant_id = ${tenant_id} and id = ${id}
    `);
  });
}

const hasWaiting = sql.fragment`exists (
  select from webhook_deliveries d
  where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.state = 'waiting'
)`;

/** Wakes webhooks whose messages a gateway of the former release has added. */
export async function wakeForgottenWebhooks(db: Db): Promise<void> {
  await db.run(sql.nothing`
    update webhooks w set next_try_at = now()
    where next_try_at is null and is_active and ${hasWaiting}
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

/** The first delivery that waits for a webhook that this worker has taken; null for none. */
export function findDueDelivery(db: Db, { tenant_id, id }: WebhookKey, pauses: Pauses) {
  return db.maybeOne(sql.type(dueSchema)`
    with taken as (
      update webhooks set taken_until = ${leaseEnd(pauses)}
      where tenant_id = ${tenant_id} and id = ${id} and is_active returning *
    )
    select w.tenant_id, w.url, w.secret,
      case when w.former_secret_until > now() then w.former_secret end as former_secret,
      (extract(epoch from now() - w.failing_since) * 1000)::float8 as failing_for,
      d.id as delivery_id, d.message_id, d.payload
    from taken w
    join webhook_deliveries d on d.tenant_id = w.tenant_id and d.webhook_id = w.id
    where d.tenant_id = ${tenant_id} and d.webhook_id = ${id} and d.state = 'waiting'
    order by d.id limit 1
  `);
}

export interface DeliveryAttempt {
  status: number | null;
  /** Null when the receiver has taken the message. */
  error: string | null;
}

/** An attempt, and what becomes of its receiver. */
interface Noted extends DeliveryAttempt {
  deliveryId: number;
  /** Whether the webhook has failed for so long that it is switched off. */
  isLast: boolean;
}

/**
 * Writes down an attempt. After a failure the webhook is given back, and pauses; a success ends the row
 * of failures.
 */
export async function noteAttempt(
  db: Db,
  { tenant_id, id }: WebhookKey,
  { deliveryId, status, error, isLast }: Noted,
  pauses: Pauses,
): Promise<void> {
  const state = error === null ? 'delivered' : isLast ? 'failed' : 'waiting';
  const noteDelivery = sql.fragment`
    update webhook_deliveries set attempts = attempts + 1, status = ${status}, error = ${error},
      attempted_at = now(), state = ${state}
    where tenant_id = ${tenant_id} and id = ${deliveryId}
  `;
  if (error === null) {
    await db.run(sql.nothing`
      with noted as (${noteDelivery})
      update webhooks set failures = 0, failing_since = null
      where tenant_id = ${tenant_id} and id = ${id} and failures > 0
    `);
    return;
  }
  await db.run(sql.nothing`
    with noted as (${noteDelivery})
    update webhooks set failing_since = coalesce(failing_since, now()),
      is_active = is_active and not ${isLast},
      switched_off_at = case when ${isLast} then now() else switched_off_at end,
      failures = failures + 1, taken_until = null,
      next_try_at = ${nextTry(pauses)}
    where tenant_id = ${tenant_id} and id = ${id}
  `);
}
