-- A browser's cookie and a secret belong to one restaurant: none is in another's way.
alter table screens drop constraint if exists screens_hash_key, add unique (tenant_id, hash);
alter table releases drop constraint if exists releases_secret_key, add unique (tenant_id, secret);
