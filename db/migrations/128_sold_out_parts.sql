-- Sizes of dishes and options of groups that are sold out until a moment make it known to the clock.
create function foresee_parts() returns trigger language plpgsql as $$
begin
  perform foresee(new.tenant_id, min(greatest((part ->> 'sold_out_until')::timestamptz, now())))
    from jsonb_array_elements(to_jsonb(new) -> tg_argv[0]) as part
    where part ? 'sold_out_until';
  return null;
end $$;

create trigger dish_part_moments after insert or update on dishes for each row
  when (new.deleted_at is null and jsonb_path_exists(new.variants, '$[*].sold_out_until'))
  execute function foresee_parts('variants');

create trigger option_moments after insert or update on modifier_groups for each row
  when (new.deleted_at is null and jsonb_path_exists(new.options, '$[*].sold_out_until'))
  execute function foresee_parts('options');
