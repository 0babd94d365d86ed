-- A request with many operations, or a whole menu, as it was sent; gone when the write is finished.
alter table writes add column document bytea;
alter table writes alter column document set storage external;
