-- Gateways compress a menu when a client asks for it first. Compressed menus are stored no longer.
drop table snapshot_encodings;
drop index snapshots_uncompressed;
alter table snapshots drop column encoded_version, drop column saved_at;
