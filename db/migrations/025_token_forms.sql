-- The form of the panel that asked for a token: a form that is sent twice makes one token.
alter table tokens add column form_id uuid;
create unique index tokens_by_form on tokens (tenant_id, form_id) where form_id is not null;

-- Nothing but gateways of the former release writes here any more, until they are restarted. A later
-- release drops the table.
update token_reveals set sealed = null;
