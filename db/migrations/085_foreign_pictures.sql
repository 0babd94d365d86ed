-- Pictures at addresses of other sites, by the field that names them: photo_url of a dish, and those of
-- the settings, whose dish_id is 0. Workers look at them when next_look_at is over, where the operator
-- allows it. problem says why the last look found no picture, and status how the site answered.
create table foreign_pictures (
  tenant_id integer not null references tenants on delete cascade,
  field text not null,
  dish_id integer not null,
  url text not null,
  next_look_at timestamptz,
  looked_at timestamptz,
  problem text,
  status integer,
  primary key (tenant_id, field, dish_id)
);
create index foreign_pictures_next on foreign_pictures (next_look_at) where next_look_at is not null;

-- Its arguments name the columns that hold addresses.
create function note_foreign_pictures() returns trigger language plpgsql as $$
declare
  row jsonb := to_jsonb(coalesce(new, old));
  dish integer := case tg_table_name when 'dishes' then (row ->> 'id')::integer else 0 end;
  tenant integer := (row ->> 'tenant_id')::integer;
  name text;
begin
  foreach name in array tg_argv loop
    if tg_op = 'DELETE' or row ->> name not like 'https:%' or row ->> name is null then
      delete from foreign_pictures f
        where f.tenant_id = tenant and f.field = name and f.dish_id = dish;
    else
      insert into foreign_pictures as f (tenant_id, field, dish_id, url, next_look_at)
      values (tenant, name, dish, row ->> name, now())
      on conflict (tenant_id, field, dish_id) do update
        set url = excluded.url, next_look_at = now(), looked_at = null, problem = null, status = null
        where f.url <> excluded.url;
    end if;
  end loop;
  return null;
end $$;

create trigger new_dish_picture after insert on dishes for each row
  when (new.photo_url is not null) execute function note_foreign_pictures('photo_url');
create trigger dish_picture after update of photo_url on dishes for each row
  when (new.photo_url is distinct from old.photo_url)
  execute function note_foreign_pictures('photo_url');
create trigger gone_dish_picture after delete on dishes for each row
  when (old.photo_url is not null) execute function note_foreign_pictures('photo_url');
create trigger new_settings_pictures after insert on settings for each row
  when (new.logo_url is not null or new.cover_image_url is not null)
  execute function note_foreign_pictures('logo_url', 'cover_image_url');
create trigger settings_pictures after update of logo_url, cover_image_url on settings for each row
  when ((new.logo_url, new.cover_image_url) is distinct from (old.logo_url, old.cover_image_url))
  execute function note_foreign_pictures('logo_url', 'cover_image_url');

insert into foreign_pictures (tenant_id, field, dish_id, url, next_look_at)
select tenant_id, 'photo_url', id, photo_url, now() from dishes where photo_url like 'https:%'
union all
select tenant_id, 'logo_url', 0, logo_url, now() from settings where logo_url like 'https:%'
union all
select tenant_id, 'cover_image_url', 0, cover_image_url, now() from settings
where cover_image_url like 'https:%';
