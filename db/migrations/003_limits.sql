-- What each client of a tenant has used of a limiter in its present window. Written without a log:
-- a crash of Postgres empties the table, and the gateways put back what they know.
create unlogged table limit_windows (
  tenant_id integer not null,
  limiter text not null,
  client inet not null,
  ends_at timestamptz not null,
  count integer not null,
  primary key (tenant_id, limiter, client)
  -- Room for new versions of a row beside the old one: counting then touches no index.
) with (fillfactor = 70);
create index limit_windows_by_end on limit_windows (ends_at);
