-- Writes that ended in an unexpected error are counted every few seconds. Without this, all writes of
-- a day are looked at: 500 ms for 500,000 of them, and 0.1 ms with it.
create index writes_faulty on writes (finished_at) where status = 500;
