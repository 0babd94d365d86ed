-- How many dishes the search of an event found; null where the display did not say.
alter table analytics_events add column results integer;

-- The texts of searches that found nothing, with how often they were searched for. They are words of
-- guests, so they are deleted when raw events are. A day holds a bounded number of texts; the searches for
-- others are counted under the empty text.
create table analytics_empty_searches (
  tenant_id integer not null references tenants on delete cascade,
  day date not null,
  query text collate "C" not null,
  searches bigint not null,
  primary key (tenant_id, day, query)
);
create index analytics_empty_searches_by_day on analytics_empty_searches (day);
