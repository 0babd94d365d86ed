-- Each round of housekeeping read all sessions, failed sign-ins, salts and budgets of events, which grow with
-- the number of restaurants. With these it reads what is over and nothing else.
create index sessions_by_begin on sessions (created_at);
create index sessions_by_use on sessions (used_at);
create index sign_in_attempts_by_begin on sign_in_attempts (started_at);
create index analytics_salts_by_day on analytics_salts (day);
create index event_budgets_by_day on event_budgets (day);

-- It was for the workers of a former release, which compressed answers. It named the version, so every write had
-- to change all indexes of its snapshot.
drop index snapshots_uncompressed;
