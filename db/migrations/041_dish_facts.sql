-- Each column has a default with which a process of the version before goes on reading and writing.
alter table dishes
  add column code text not null default '',
  add column kcal integer,
  add column origin jsonb not null default '{}';
