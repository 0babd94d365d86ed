-- People: what each may do, how they are invited, and how they sign in without a password.
alter table users
  add column name text not null default '',
  add column role text not null default 'owner' check (role in ('owner', 'editor', 'service')),
  -- The language of the panel; null: the browser's.
  add column language text,
  -- Somebody who is invited has none yet.
  alter column password_hash drop not null;

-- Sessions of a tablet in the kitchen last longer; people see their sessions by device.
alter table sessions
  add column is_long boolean not null default false,
  add column device text not null default '';

-- Links that are valid once: to accept an invitation, to choose another password, to confirm an address.
create table account_links (
  tenant_id integer not null,
  user_id integer not null,
  kind text not null check (kind in ('invitation', 'password', 'email')),
  -- SHA-256 of the secret in the link.
  hash bytea not null,
  -- The address that an `email` confirms.
  email text check (email = lower(email)),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, user_id, kind),
  unique (tenant_id, hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index account_links_by_expiry on account_links (expires_at);

create table passkeys (
  tenant_id integer not null,
  -- The credential's id, in base64url.
  id text not null,
  user_id integer not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index passkeys_by_user on passkeys (tenant_id, user_id);

-- What a browser has to sign with a passkey: one a browser, and valid once.
create table passkey_challenges (
  tenant_id integer not null references tenants on delete cascade,
  -- That of the browser's cookie.
  hash bytea not null,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, hash)
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- What was done about people, and by whom. No password and no link is in it.
create table people_log (
  tenant_id integer not null references tenants on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('token', 'user', 'operator')),
  -- As it was called at that time.
  actor_name text,
  action text not null check (action in (
    'invited', 'joined', 'resent', 'withdrawn', 'removed', 'role', 'name', 'email', 'password',
    'password_link', 'passkey_added', 'passkey_removed', 'session_ended', 'sessions_ended'
  )),
  subject text not null,
  detail text,
  primary key (tenant_id, id)
);
create index people_log_by_time on people_log (at);
