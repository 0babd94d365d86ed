-- Somebody asked that a webhook be tried now, and not when its next attempt is due.
alter table webhooks add column is_urgent boolean not null default false;
create index webhooks_urgent on webhooks (tenant_id, id) where is_urgent;
