-- Gateways know tenants by their slugs. A slug that a tenant gives up, by a command of the CLI or by a
-- statement of the operator's own, is announced, so that no gateway goes on serving its former menu.
-- The sessions of the panel belong to the host that the slug named, and end with it.
create function announce_freed_slug() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.slug = old.slug then
      return null;
    end if;
    delete from sessions where tenant_id = old.id;
  end if;
  perform pg_notify('lavagna_freed_slugs', json_build_object('tenant_id', old.id, 'slug', old.slug)::text);
  return null;
end $$;

create trigger freed_slug after update of slug or delete on tenants
  for each row execute function announce_freed_slug();
