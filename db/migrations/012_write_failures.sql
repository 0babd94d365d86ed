-- How often a write has met an unexpected error, and how often its time ran out. The queue keeps one
-- count of all tries, those among them that ended because Postgres took no work.
alter table writes
  add column errors integer not null default 0,
  add column timeouts integer not null default 0;
