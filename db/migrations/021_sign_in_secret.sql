-- sign_in_attempts held plain SHA-256 of addresses: a reader of the table could hash all IPv4 addresses
-- and find them. Now the hash begins with a secret of this database. A copy of sign_in_attempts alone
-- names nobody.
create table sign_in_secret (
  secret bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  is_only boolean primary key default true check (is_only)
);
insert into sign_in_secret default values;
delete from sign_in_attempts;
