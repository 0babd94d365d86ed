-- What guests look at. Days and hours are the restaurant's own: the gateway that accepted an event
-- decided them by settings.timezone, and everything below is keyed by that calendar.

-- A zone that Postgres does not know cannot be stored: nothing later has to ask what it means.
alter table settings add constraint timezone_is_known
  check (timestamptz '2000-01-01 00:00:00+00' at time zone timezone is not null);

-- What a visitor's hash is made with; one a day, deleted soon after the day is over.
create table analytics_salts (
  tenant_id integer not null references tenants on delete cascade,
  day date not null,
  salt bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, day)
);

-- The ids that clients gave to their events (SHA-256, the first 16 bytes), for as long as a repeat
-- could be accepted.
create table analytics_event_ids (
  tenant_id integer not null,
  id bytea not null,
  seen_on date not null default current_date,
  primary key (tenant_id, id)
);
-- Rows lie in the order of their arrival: a block range index finds the old ones at no cost.
create index analytics_event_ids_by_age on analytics_event_ids using brin (seen_on);

-- Every accepted event, once; a partition a day, made ahead and dropped after the retention. They
-- are read by whole days if at all: an index would double the time that it takes to store them.
create table analytics_events (
  tenant_id integer not null,
  day date not null,
  hour smallint not null,
  occurred_at timestamptz not null,
  type text not null,
  item_id integer,
  category_id integer,
  allergen text,
  query text,
  locale text,
  -- Distinct within a day, meaningless beyond it.
  visitor bigint not null,
  id text
) partition by range (day);

-- What a roll-up counts. `key` says which: nothing for `total`, the event type, the hour (0 to 23),
-- the locale ('' where the event named none), the id of the dish or section, the allergen's key, and
-- for `item_locale` the dish's id, a slash and the locale.
create type analytics_scope as enum
  ('total', 'type', 'hour', 'locale', 'item', 'section', 'allergen', 'item_locale');

-- Who has been counted already, and where; dropped when no more events of its day are accepted.
create table analytics_visits (
  tenant_id integer not null,
  day date not null,
  visitor bigint not null,
  -- `scope/key`, in the order in which they were first seen.
  cells text[] not null,
  -- How many of them had been counted before the statement that wrote this row last.
  counted integer not null default 0,
  primary key (tenant_id, day, visitor)
) partition by range (day);

-- The roll-ups: all that the reports read, besides the menu itself. A scope's rows lie together: over
-- a year most of them belong to `item_locale`, and only one report reads those.
create table analytics_counts (
  tenant_id integer not null references tenants on delete cascade,
  scope analytics_scope not null,
  day date not null,
  key text collate "C" not null,
  events bigint not null,
  visitors bigint not null,
  primary key (tenant_id, scope, day, key)
) partition by list (scope);
do $$
declare
  scope text;
begin
  foreach scope in array enum_range(null::analytics_scope)::text[] loop
    execute format('create table analytics_counts_%1$s partition of analytics_counts
      for values in (%1$L) with (fillfactor = 80)', scope);
  end loop;
end $$;
