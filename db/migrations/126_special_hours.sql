-- Hours of single days, which stand in place of the week's.
alter table settings add column special_hours jsonb not null default '[]';
