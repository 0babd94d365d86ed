-- What somebody has changed in the panel, until the session ends: what the page says of it, and the
-- writes that take it back. The id is that of the form: a form that is sent twice has one row.
create table panel_changes (
  tenant_id integer not null,
  session_hash bytea not null,
  id uuid not null,
  said jsonb not null,
  undo jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_hash, id),
  foreign key (tenant_id, session_hash) references sessions (tenant_id, hash) on delete cascade
);
