-- What clients asked for under a name of theirs, so that a request that comes again is done once. The
-- result is sealed with a key that the client alone can make: it may hold a secret that is shown once.
-- The columns `form_id` of webhooks, releases and tokens did the same for forms; gateways of the former
-- release write them until they are restarted.
create table done_actions (
  tenant_id integer not null references tenants on delete cascade,
  -- SHA-256 of the client's credential and its name for the request.
  key bytea not null,
  -- SHA-256 of the request.
  request bytea not null,
  result bytea not null,
  at timestamptz not null default now(),
  primary key (tenant_id, key)
);
create index done_actions_by_age on done_actions (at);
