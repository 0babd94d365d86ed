-- The form of the panel that asked for a webhook or a release: a form that is sent twice makes one.
alter table webhooks add column form_id uuid;
create unique index webhooks_by_form on webhooks (tenant_id, form_id) where form_id is not null;
alter table releases add column form_id uuid;
create unique index releases_by_form on releases (tenant_id, form_id) where form_id is not null;
