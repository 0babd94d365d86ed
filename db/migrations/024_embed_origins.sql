-- Origins whose pages may show the menu's page in a frame, separated by spaces; empty for none.
alter table settings add column embed_origins text not null default '';
