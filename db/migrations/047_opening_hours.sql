-- When a restaurant is open, and where guests find it.
alter table settings
  add column opening_hours jsonb not null default '[]',
  add column closures jsonb not null default '[]',
  add column map_url text not null default '',
  add column social_urls jsonb not null default '[]',
  add column cuisine jsonb not null default '{}';
