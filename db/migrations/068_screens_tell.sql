-- Whether owners are told when a screen is away in opening hours.
alter table screens add column tells_away boolean not null default true;
