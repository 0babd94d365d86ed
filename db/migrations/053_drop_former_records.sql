-- The journal has taken the place of the records that an import kept to be taken back.
alter table writes drop column former;
