-- Host names of a restaurant besides its slug below DOMAIN: names of its own, and slugs that it had before,
-- which have no dot. Those lead to the restaurant until they expire.
create table hosts (
  tenant_id integer not null references tenants on delete cascade,
  id integer generated always as identity,
  name text not null,
  -- Stands in the TXT record that proves whose name it is; null: the operator has set the name.
  proof text,
  -- Null: the record was not seen yet, and nothing is served there.
  verified_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name)
);
-- A host that is served is one restaurant's alone. Any number may ask for a name, so that nobody keeps it from
-- its owner.
create unique index hosts_by_name on hosts (name) where verified_at is not null;
create index hosts_expired on hosts (expires_at) where expires_at is not null;

-- Gateways read a host anew when anything about it changes, whoever changes it.
create function announce_host() returns trigger language plpgsql as $$
declare
  host hosts := coalesce(new, old);
begin
  perform pg_notify('lavagna_hosts', json_build_object(
    'name', host.name, 'slug', (select slug from tenants where id = host.tenant_id)
  )::text);
  return null;
end $$;
create trigger changed_host after insert or update or delete on hosts
  for each row execute function announce_host();

-- A slug that is in use is nobody's former one.
create function forget_former_slug() returns trigger language plpgsql as $$
begin
  delete from hosts where name = new.slug;
  return null;
end $$;
create trigger used_slug after insert or update of slug on tenants
  for each row execute function forget_former_slug();
