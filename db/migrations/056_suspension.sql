-- A suspended restaurant is served as one that is not there, until its operator lifts that.
alter table tenants add column suspended_at timestamptz;

create function announce_suspension() returns trigger language plpgsql as $$
begin
  if new.suspended_at is not null and old.suspended_at is null then
    perform pg_notify('lavagna_freed_slugs', json_build_object('tenant_id', old.id, 'slug', old.slug)::text);
  end if;
  return null;
end $$;

create trigger suspended after update of suspended_at on tenants
  for each row execute function announce_suspension();
