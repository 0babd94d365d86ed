-- Further windows in which a section is served: its own columns hold the first one.
alter table sections add column hours jsonb not null default '[]';
