-- The journal: the difference that each version made to a menu. Several writes may share a version; each
-- of them is a part, with its own author.
create table versions (
  tenant_id integer not null references tenants on delete cascade,
  version bigint not null,
  part integer not null default 0,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null check (actor_kind in ('token', 'user', 'operator', 'clock')),
  actor_id integer,
  -- As it was at that time: the token or the user may be gone.
  actor_name text,
  origin text not null check (origin in (
    'api', 'panel', 'bulk', 'import', 'undo', 'restore', 'release', 'clock', 'cli'
  )),
  job_id uuid,
  created integer not null default 0,
  changed integer not null default 0,
  deleted integer not null default 0,
  restored integer not null default 0,
  -- Null where the history begins: the menu of this version is known, and its difference is not.
  changes jsonb,
  primary key (tenant_id, version, part)
);
create index versions_by_time on versions (at);

-- The history of a restaurant that is there already begins with its present menu.
insert into versions (tenant_id, version, actor_kind, origin)
select id, version, 'operator', 'cli' from tenants;

-- A version without its entry cannot be committed, nor can an entry without its version.
create function check_history() returns trigger language plpgsql as $$
declare
  tenant integer;
  present bigint;
begin
  if tg_table_name = 'tenants' then tenant := new.id; else tenant := new.tenant_id; end if;
  select t.version into present from tenants t where t.id = tenant;
  -- It may have been deleted since.
  if not found then return null; end if;
  if present is distinct from (select max(v.version) from versions v where v.tenant_id = tenant) then
    raise exception 'version % of tenant % is not the last entry of its history', present, tenant
      using errcode = 'integrity_constraint_violation';
  end if;
  if new.version <> present and not exists (
    select from versions v where v.tenant_id = tenant and v.version = new.version
  ) then
    raise exception 'version % of tenant % has no entry in its history', new.version, tenant
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger version_has_entry after insert or update of version on tenants
  deferrable initially deferred for each row execute function check_history();
create constraint trigger entry_has_version after insert on versions
  deferrable initially deferred for each row execute function check_history();
