-- Translations whose source has changed since: each is known by the pair of its source and itself, so a
-- record that moves, or a change that is taken back, needs no care. last_source is the digest of the
-- source that the translation still fits.
create table stale_texts (
  tenant_id integer not null references tenants on delete cascade,
  pair text not null,
  last_source text not null,
  primary key (tenant_id, pair)
);
