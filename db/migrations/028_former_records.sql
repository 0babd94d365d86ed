-- What an import found that can be taken back: the moment of its transaction (`at`), and by resource the
-- ids of records that it created (`created`) and the rows that it changed or deleted (`rows`).
alter table writes add column former jsonb;
create index writes_with_former on writes (tenant_id, batch) where former is not null;
