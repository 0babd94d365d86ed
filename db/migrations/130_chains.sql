-- A branch: a restaurant whose records may follow those of another one, its master.
create table chain_branches (
  tenant_id integer primary key references tenants on delete cascade,
  master_id integer not null references tenants on delete cascade,
  -- The version of the master's menu that it took last; null before the first publication.
  taken_version bigint,
  -- What its prices have more than the master's, in percent, and how they are rounded.
  price_percent numeric,
  price_rounding text,
  created_at timestamptz not null default now(),
  check (tenant_id <> master_id),
  check ((price_percent is null) = (price_rounding is null))
);
create index chain_branches_by_master on chain_branches (master_id);

-- A record of a branch that follows one of the master's. Settings and theme have the restaurants' ids.
-- A row without a record here says that the branch has deleted it.
create table chain_follows (
  tenant_id integer not null references chain_branches on delete cascade,
  resource text not null,
  id integer not null,
  master_id integer not null,
  -- The fields that are the branch's own, each with the version and the time of its first change.
  own_fields jsonb not null default '{}',
  primary key (tenant_id, resource, id),
  constraint chain_follows_by_master unique (tenant_id, resource, master_id)
);

-- What a master lets its branches do with fields, beside what holds by default.
create table chain_policies (
  tenant_id integer primary key references tenants on delete cascade,
  fields json not null
);

-- The last publication of a branch is looked up for its master.
create index writes_published on writes (tenant_id, batch) where action = 'publish';

-- A release that publishes a master's menu to its branches: their slugs, and who has planned it.
alter table releases add column chain json;
