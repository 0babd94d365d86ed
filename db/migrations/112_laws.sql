-- What laws ask of a menu, and what real menus say of their dishes.
alter table dishes
  -- Cereals and nuts of the allergens that it contains or may contain.
  add column allergen_detail text[] not null default '{}',
  add column volume_ml integer,
  add column abv_percent numeric,
  add column serves integer,
  add column origins jsonb not null default '[]',
  add column non_vintage boolean not null default false,
  add column taste jsonb not null default '{}',
  add column pairing jsonb not null default '{}',
  add column portion jsonb not null default '{}',
  add column ingredients jsonb not null default '{}',
  add column sold_out_note jsonb not null default '{}';

alter table settings
  add column country text,
  add column region text not null default '',
  add column chain_size text not null default 'none',
  add column cover_charge numeric,
  add column service_charge_percent numeric,
  add column prices_exclude_tax boolean not null default false;
