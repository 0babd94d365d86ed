-- Each column has a default with which a process of the version before goes on reading and writing.
alter table dishes
  add column courses jsonb not null default '[]',
  add column offers jsonb not null default '[]';
