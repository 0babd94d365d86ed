-- Screens on walls: what each of them shows, and when it was there last.
create table screens (
  tenant_id integer not null references tenants on delete cascade,
  id integer generated always as identity,
  name text not null,
  -- SHA-256 of the cookie by which the screen is known.
  hash bytea not null unique,
  -- None: all sections.
  section_ids integer[] not null default '{}',
  -- None: the restaurant's default.
  languages text[] not null default '{}',
  -- Null: as long as its dishes need.
  page_seconds integer,
  -- Null: as many as the width has room for.
  columns integer,
  orientation text not null default 'auto',
  hide_sold_out boolean not null default false,
  -- Several screens side by side share one menu.
  part integer not null default 1,
  parts integer not null default 1 check (part between 1 and parts),
  -- Until then it shows its name, so that somebody finds it.
  name_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Its last contact; whether it held a stream then.
  last_seen_at timestamptz not null default now(),
  is_here boolean not null default false,
  version bigint,
  width integer,
  height integer,
  -- When somebody was told that it is away; null again with its next contact.
  told_away_at timestamptz,
  primary key (tenant_id, id)
);

-- The letters that a screen shows until somebody types them.
create table screen_codes (
  tenant_id integer not null references tenants on delete cascade,
  code text not null,
  -- That of the screen's cookie.
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, code),
  unique (tenant_id, hash)
);
create index screen_codes_by_expiry on screen_codes (expires_at);

-- Letters that somebody types are counted as attempts to sign in are.
alter table sign_in_attempts drop constraint sign_in_attempts_kind_check;
alter table sign_in_attempts add constraint sign_in_attempts_kind_check
  check (kind in ('account', 'address', 'screen'));
