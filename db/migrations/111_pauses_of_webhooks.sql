-- Workers send by what stands here alone; the queue of webhooks is gone.
alter table webhooks
  -- Failures in a row: each pause is twice as long as the one before.
  add failures integer not null default 0,
  -- From when on messages may be sent; null: none waits.
  add next_try_at timestamptz,
  -- A worker sends to the receiver. Another one does when this time has come.
  add taken_until timestamptz;
create index webhooks_by_next_try on webhooks (next_try_at) where next_try_at is not null;

update webhooks w set next_try_at = now(), failures = (failing_since is not null)::integer
where exists (
  select from webhook_deliveries d
  where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.state = 'waiting'
);
