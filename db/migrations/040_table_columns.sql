-- The meaning that an owner gave the columns of a table: the next table with the same header is read so.
-- A restaurant keeps a bounded number of them.
create table table_columns (
  tenant_id integer not null references tenants on delete cascade,
  header bytea not null,
  targets jsonb not null,
  used_at timestamptz not null default now(),
  primary key (tenant_id, header)
);
