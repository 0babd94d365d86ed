-- The external id by which a write names its record, when it does not name it by its id.
alter table writes add column record_key text;
