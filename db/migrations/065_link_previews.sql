-- The pictures that stand for restaurants without a cover where their addresses are shared: a restaurant
-- has the one that was asked for last.
create table link_previews (
  tenant_id integer primary key references tenants on delete cascade,
  digest text not null,
  content bytea not null
);
alter table link_previews alter column content set storage external;
