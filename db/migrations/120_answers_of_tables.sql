-- What an owner has said of the signs and codes in a table with this header.
alter table table_columns add column signs jsonb not null default '{}';
