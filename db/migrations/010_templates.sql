-- The parts of a section repeated, in each language, all its translations: a price that changed was
-- 66 KB to store and to send. Now a section is stored once, with gaps for the texts in which its
-- languages differ, and so is what stands around the sections. What was stored before is built again
-- by the workers.
drop table snapshot_sections;
drop table snapshots;

-- One row a tenant: what stands around the sections, as db/snapshot lays it out.
create table snapshots (
  tenant_id integer primary key references tenants on delete cascade,
  version bigint not null,
  format integer not null,
  head text not null,
  -- The version of which there are compressed answers; they follow when the writes pause.
  encoded_version bigint,
  saved_at timestamptz not null default now()
);
create index snapshots_uncompressed on snapshots (saved_at)
  where encoded_version is distinct from version;

create table snapshot_sections (
  tenant_id integer not null references tenants on delete cascade,
  section_id integer not null,
  -- The tenant's version that last changed the template.
  version bigint not null,
  template text not null,
  primary key (tenant_id, section_id)
);
-- Compressing it takes Postgres longer than storing it.
alter table snapshot_sections alter column template set storage external;

create table snapshot_encodings (
  tenant_id integer not null references tenants on delete cascade,
  locale text not null,
  version bigint not null,
  encodings bytea not null,
  primary key (tenant_id, locale)
);
alter table snapshot_encodings alter column encodings set storage external;
