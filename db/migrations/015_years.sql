-- What is deleted stays for a month, and nothing bounds how much that is: whoever replaces a menu every
-- hour has a hundred times more deleted records than present ones. A menu is read without passing by
-- them, by an index of what is present; its length is bounded, so that no index has to know more of it.
-- A list of deleted records finds its page, and their number, in an index; a restore finds its deletion.
do $$
declare
  records text;
begin
  foreach records in array array['sections', 'types', 'wineries', 'dishes'] loop
    execute format('create index %1$s_present on %1$s (tenant_id, id) where deleted_at is null', records);
    execute format('create index %1$s_restorable on %1$s (tenant_id, id) include (deleted_at)
      where deleted_at is not null', records);
    execute format('create index %1$s_by_deletion on %1$s (tenant_id, deletion)
      where deletion is not null', records);
  end loop;
end $$;

-- A section's present records lie together, and so do those that went; the foreign keys ask for both.
drop index sections_by_parent;
create index sections_by_parent on sections (tenant_id, parent_id, deleted_at);
drop index types_by_section;
create index types_by_section on types (tenant_id, category_id, deleted_at);
drop index dishes_by_section;
create index dishes_by_section on dishes (tenant_id, category_id, deleted_at);

-- Most dishes have neither: these no longer pay for the two indexes.
drop index dishes_by_type;
create index dishes_by_type on dishes (tenant_id, type_id) where type_id is not null;
drop index dishes_by_winery;
create index dishes_by_winery on dishes (tenant_id, winery_id) where winery_id is not null;
