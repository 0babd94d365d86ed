-- Each column has a default with which a process of the version before goes on reading and writing.

alter table sections
  add column external_id text,
  -- The note in each language. Where `notes` has a text, that is the note in the default language.
  add column notes_texts jsonb not null default '{}',
  add column weekdays integer[],
  add column date_start date,
  add column date_end date;

alter table types add column external_id text;

alter table wineries add column external_id text;

alter table dishes
  add column external_id text,
  add column price_on_request boolean not null default false,
  add column price_unit text,
  add column variants jsonb not null default '[]',
  -- Whether the restaurant has declared that the dish contains no allergen.
  add column contains_none boolean not null default false,
  add column allergens_declared boolean not null
    generated always as (contains_none or cardinality(allergens) > 0) stored,
  add column traces text[] not null default '{}',
  add column additives text[] not null default '{}',
  add column labels text[] not null default '{}',
  add column vintage integer,
  add column grapes text not null default '',
  add column denomination text not null default '',
  add column photo_url text,
  add column photo_alt jsonb not null default '{}',
  -- 'infinity' where nobody has said until when.
  add column sold_out_until timestamptz,
  add column is_sold_out boolean not null generated always as (sold_out_until is not null) stored;

alter table settings
  add column cover_charge_text_texts jsonb not null default '{}',
  add column allergen_info_texts jsonb not null default '{}',
  add column recommended_label_texts jsonb not null default '{}',
  add column currency text not null default 'EUR';

alter table themes add column footer_text_texts jsonb not null default '{}';

create unique index sections_by_external_id on sections (tenant_id, external_id)
  where deleted_at is null;
create unique index types_by_external_id on types (tenant_id, external_id)
  where deleted_at is null;
create unique index wineries_by_external_id on wineries (tenant_id, external_id)
  where deleted_at is null;
create unique index dishes_by_external_id on dishes (tenant_id, external_id)
  where deleted_at is null;
create index dishes_by_end_of_sold_out on dishes (sold_out_until)
  where sold_out_until < 'infinity' and deleted_at is null;
