-- The way by which a write came, where its sender alone does not say it: an assistant, or a chain.
alter table writes add column origin text, add column confirmed_by text;
-- The person who has checked the allergens that an assistant changes.
alter table versions add column confirmed_by text;
alter table releases add column confirmed_by text;
alter table versions drop constraint if exists versions_origin_check, add constraint versions_origin_check
  check (origin in ('api', 'panel', 'bulk', 'import', 'undo', 'restore', 'release', 'clock', 'cli', 'mcp', 'chain'));
