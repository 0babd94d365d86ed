-- The key by which a restaurant's screens know the menus that come to them without a network, and the
-- one that will follow it. Secrets are 32 bytes of Ed25519.
create table bundle_keys (
  tenant_id integer primary key references tenants on delete cascade,
  secret bytea not null,
  next_secret bytea,
  created_at timestamptz not null default now()
);
