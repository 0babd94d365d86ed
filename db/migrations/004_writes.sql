-- Every write of the admin API, from its request to its result. Its id is that of the job that the
-- queue holds for it; the row is what the job works on and where clients find the result.
create table writes (
  tenant_id integer not null references tenants on delete cascade,
  id uuid not null,
  token_id integer not null,
  resource text not null,
  action text not null,
  -- Null until a write that creates a record has been applied.
  record_id integer,
  input jsonb not null,
  if_match text,
  idempotency_key text,
  -- SHA-256 of method, path and body: the same key for another request is refused.
  request_hash bytea not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  status integer,
  body text,
  etag text,
  -- The version of the tenant that shows the write.
  version bigint,
  -- What went wrong when the status is 500, for the operator.
  error text,
  primary key (tenant_id, id)
);
create unique index writes_by_idempotency_key on writes (tenant_id, token_id, idempotency_key)
  where idempotency_key is not null;
create index writes_waiting on writes (tenant_id, created_at, id) where finished_at is null;
create index writes_finished on writes (finished_at) where finished_at is not null;

-- For housekeeping, which looks for what has been deleted long ago.
create index sections_deleted on sections (deleted_at) where deleted_at is not null;
create index types_deleted on types (deleted_at) where deleted_at is not null;
create index wineries_deleted on wineries (deleted_at) where deleted_at is not null;
create index dishes_deleted on dishes (deleted_at) where deleted_at is not null;
