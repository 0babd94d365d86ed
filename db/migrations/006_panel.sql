-- A visit to the panel by somebody who has signed in. The cookie's value is random; what is kept of
-- it is its SHA-256, so that whoever reads this table can sign in nowhere.
create table sessions (
  tenant_id integer not null references tenants on delete cascade,
  hash bytea not null,
  user_id integer not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (tenant_id, hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index sessions_by_user on sessions (tenant_id, user_id);

-- One row a form that has made a token: a form that is sent twice makes one token. Until its page is
-- read, the row holds the token's value, sealed with a key that only the session's cookie yields.
create table token_reveals (
  tenant_id integer not null,
  session_hash bytea not null,
  form_id uuid not null,
  token_id integer,
  sealed bytea,
  created_at timestamptz not null,
  primary key (tenant_id, session_hash, form_id),
  foreign key (tenant_id, session_hash) references sessions (tenant_id, hash) on delete cascade,
  foreign key (tenant_id, token_id) references tokens (tenant_id, id) on delete cascade
);
create index token_reveals_by_token on token_reveals (tenant_id, token_id);

-- Sign-ins that have not succeeded, in windows that begin with the first of them. The key is the
-- SHA-256 of an e-mail address or of a client's address, whether or not there is such a user.
create table sign_in_attempts (
  tenant_id integer not null references tenants on delete cascade,
  kind text not null check (kind in ('account', 'address')),
  key bytea not null,
  count integer not null,
  started_at timestamptz not null,
  primary key (tenant_id, kind, key)
);
