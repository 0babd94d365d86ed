-- Sessions of the kitchen live longer than others, so a round of housekeeping has to tell them apart before it
-- compares times: otherwise it reads all that only the shorter bounds would end.
drop index sessions_by_begin;
drop index sessions_by_use;
create index sessions_by_begin on sessions (is_long, created_at);
create index sessions_by_use on sessions (used_at) where not is_long;
