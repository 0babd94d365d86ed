-- Imports from other services are named for their formats.
alter table versions drop constraint versions_origin_check;
alter table versions add constraint versions_origin_check check (origin in (
  'api', 'panel', 'bulk', 'import', 'undo', 'restore', 'release', 'clock', 'cli', 'mcp', 'chain',
  'square', 'square_csv', 'uber', 'deliverect', 'toast', 'otter', 'google'
));
