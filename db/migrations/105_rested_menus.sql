-- A menu that has not changed for a while is stored as its readers ask for it: its answer in the default
-- language, compressed, and what a gateway needs to know of its bytes. A gateway that reads it first
-- need not put it together. Without bytes: one that can only be put together where it is served.
create table rested_menus (
  tenant_id integer primary key references tenants on delete cascade,
  -- Of the snapshot; the row says nothing about another version.
  version bigint not null,
  etag text,
  br bytea,
  about bytea
);
-- What is compressed already.
alter table rested_menus alter column br set storage external, alter column about set storage external;

-- Nothing fills or reads these any more.
drop table snapshot_encodings;
alter table snapshots drop column encoded_version, drop column saved_at;
