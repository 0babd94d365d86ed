-- How many events of a day (UTC) gateways may store for a restaurant, of those that EVENTS_PER_DAY
-- allows. A gateway takes some hundreds or thousands at a time, so that most requests need no look here.
create table event_budgets (
  tenant_id integer not null references tenants on delete cascade,
  day date not null,
  granted bigint not null,
  primary key (tenant_id, day)
);
