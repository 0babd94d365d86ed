-- Receivers of what changes, and what each of them is sent.
create table webhooks (
  tenant_id integer not null references tenants on delete cascade,
  id integer generated always as identity,
  url text not null,
  events text[] not null,
  is_active boolean not null default true,
  -- It signs what is sent, so it is stored as it is.
  secret text not null,
  -- The one before, which signs as well for a day.
  former_secret text,
  former_secret_until timestamptz,
  -- Deliveries were made of all versions of the history up to this one.
  version bigint not null,
  -- Since the first of several failures in a row.
  failing_since timestamptz,
  -- It was switched off because it failed for too long.
  switched_off_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create table webhook_deliveries (
  tenant_id integer not null,
  webhook_id integer not null,
  id bigint generated always as identity,
  -- A receiver that gets one twice knows it by this.
  message_id text not null,
  event text not null,
  version bigint,
  payload text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Of the last attempt.
  status integer,
  error text,
  attempted_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks on delete cascade
);
create unique index webhook_messages on webhook_deliveries (tenant_id, webhook_id, message_id);
create index webhook_deliveries_waiting on webhook_deliveries (tenant_id, webhook_id, id)
  where state = 'waiting';
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
