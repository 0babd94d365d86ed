-- The moments between which guests see a record.
alter table sections
  add column visible_from timestamptz,
  add column visible_until timestamptz;
alter table dishes
  add column visible_from timestamptz,
  add column visible_until timestamptz;

-- The next moment at which something of a restaurant changes by itself. It may be earlier: the clock then
-- finds nothing to do, and puts it right. It is never later.
alter table tenants add column next_change_at timestamptz;
create index tenants_by_next_change on tenants (next_change_at) where next_change_at is not null;

-- Whatever writes a moment makes it known to the clock: workers, operators, and a worker of the release
-- before.
create function foresee(tenant integer, moment timestamptz) returns void language sql as $$
  update tenants set next_change_at = moment
  where id = tenant and isfinite(moment) and (next_change_at is null or next_change_at > moment)
$$;

create function foresee_dish() returns trigger language plpgsql as $$
begin
  -- A dish that comes back after the end of being sold out is due at once.
  perform foresee(new.tenant_id, greatest(new.sold_out_until, now()))
    where new.sold_out_until is not null;
  perform foresee(new.tenant_id, m) from unnest(array[new.visible_from, new.visible_until]) as m
    where m > now();
  return null;
end $$;
create function foresee_section() returns trigger language plpgsql as $$
begin
  perform foresee(new.tenant_id, m) from unnest(array[new.visible_from, new.visible_until]) as m
    where m > now();
  return null;
end $$;

create trigger new_dish_moments after insert on dishes for each row
  when (new.sold_out_until is not null or new.visible_from is not null or new.visible_until is not null)
  execute function foresee_dish();
create trigger dish_moments after update on dishes for each row
  when (new.deleted_at is null
    and (new.sold_out_until, new.visible_from, new.visible_until, old.deleted_at)
      is distinct from (old.sold_out_until, old.visible_from, old.visible_until, new.deleted_at))
  execute function foresee_dish();
create trigger new_section_moments after insert on sections for each row
  when (new.visible_from is not null or new.visible_until is not null)
  execute function foresee_section();
create trigger section_moments after update on sections for each row
  when (new.deleted_at is null
    and (new.visible_from, new.visible_until, old.deleted_at)
      is distinct from (old.visible_from, old.visible_until, new.deleted_at))
  execute function foresee_section();

update tenants t set next_change_at = d.first
from (
  select tenant_id, min(sold_out_until) as first from dishes
  where sold_out_until < 'infinity' and deleted_at is null group by tenant_id
) d
where d.tenant_id = t.id;
