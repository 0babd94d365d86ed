-- Named lists of operations that wait to be published.
create table releases (
  tenant_id integer not null references tenants on delete cascade,
  id integer generated always as identity,
  name text not null,
  -- A list, as bodies of the API have it.
  operations json not null default '[]',
  starts_at timestamptz,
  ends_at timestamptz,
  state text not null default 'draft' check (state in ('draft', 'scheduled', 'live', 'ended', 'failed')),
  -- Why it does not fit the menu, or what its end has left as it was.
  problems json not null default '[]',
  -- Whether its problems are those of the menu's present version.
  is_checked boolean not null default false,
  -- The write that published it, as the history names it.
  published_by uuid,
  -- Opens its preview for anybody who has it; null for nobody.
  secret text unique,
  -- Somebody waits for its preview.
  is_preview_wanted boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index releases_unchecked on releases (tenant_id)
  where state in ('draft', 'scheduled') and (not is_checked or is_preview_wanted);

-- The menu as a release would make it, in the form of a stored snapshot.
create table release_previews (
  tenant_id integer not null,
  release_id integer not null,
  head text not null,
  templates text not null,
  made_at timestamptz not null default now(),
  primary key (tenant_id, release_id),
  foreign key (tenant_id, release_id) references releases on delete cascade
);

create function foresee_release() returns trigger language plpgsql as $$
begin
  perform foresee(new.tenant_id,
    greatest(case new.state when 'scheduled' then new.starts_at else new.ends_at end, now()));
  return null;
end $$;
create trigger release_moments after insert or update on releases for each row
  when ((new.state = 'scheduled' and new.starts_at is not null)
    or (new.state = 'live' and new.ends_at is not null))
  execute function foresee_release();
