-- Whether guests whose phones are dark read the menu in dark colours. The default is what a process of
-- the version before goes on doing.
alter table themes add column dark_mode boolean not null default false;
