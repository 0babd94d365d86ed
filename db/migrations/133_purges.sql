-- Up to when caches before the gateways were told of new versions. It has one row once a worker has a
-- PURGE_URL.
create table purges (
  is_only boolean primary key default true check (is_only),
  purged_until timestamptz not null default now(),
  -- Of attempts in a row.
  failures integer not null default 0,
  next_try_at timestamptz not null default now()
);
