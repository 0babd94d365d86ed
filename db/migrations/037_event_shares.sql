-- How many events of a day (UTC) gateways may store for a restaurant from one client: a share of what
-- EVENTS_PER_DAY allows. A client is a hash of its address with the salt of that restaurant and day. A
-- crash may empty this table: clients then have their share once more.
create unlogged table event_shares (
  tenant_id integer not null,
  day date not null,
  client bigint not null,
  granted bigint not null,
  primary key (tenant_id, day, client)
);
create index event_shares_by_day on event_shares (day);
