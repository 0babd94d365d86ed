-- One client at the default limit overflows an integer with one dish in ten days. After that, Postgres
-- refused every job that held an event of this dish, with the events of other restaurants in it.
-- Postgres adds up these at half the speed of integers: a report may be slower, but must not fail.
alter table analytics_counts
  alter column events type bigint,
  alter column visitors type bigint,
  alter column views_by_locale type bigint[];
