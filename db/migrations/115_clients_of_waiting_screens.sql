-- The hash of the address that asked for the letters: the places of waiting screens are shared by address.
alter table screen_codes add client bytea not null default '';
