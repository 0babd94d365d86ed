-- A link that confirms an address names it, and no other link does.
alter table account_links add check ((kind = 'email') = (email is not null));
-- The former secret of a webhook has an end. A webhook that was switched off is off.
alter table webhooks
  add check ((former_secret is null) = (former_secret_until is null)),
  add check (switched_off_at is null or not is_active);
