-- Workers also look whether a live release can be taken back at its end, and look again at a draft when a
-- moment that it sets is over.
alter table releases add column recheck_at timestamptz;
create index releases_recheck on releases (recheck_at) where recheck_at is not null;
drop index releases_unchecked;
create index releases_unchecked on releases (tenant_id)
  where (state in ('draft', 'scheduled') or (state = 'live' and ends_at is not null))
    and (not is_checked or is_preview_wanted);
