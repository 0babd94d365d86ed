-- A snapshot is stored in parts, so that a write stores and a gateway fetches what has changed: the
-- head, one part for each section, and the compressed answers, which follow when the writes pause.
-- What was stored before is built again by the workers.
delete from snapshots;
alter table snapshots
  drop column pack,
  -- What stands around the sections, as JSON.
  add column head text not null,
  -- Null until the answers of this version have been compressed.
  add column encodings bytea,
  add column saved_at timestamptz not null default now();
alter table snapshots alter column encodings set storage external;
create index snapshots_uncompressed on snapshots (saved_at) where encodings is null;

create table snapshot_sections (
  tenant_id integer not null references tenants on delete cascade,
  locale text not null,
  section_id integer not null,
  -- The tenant's version that last changed the part.
  version bigint not null,
  part text not null,
  primary key (tenant_id, locale, section_id)
);
