-- Owners of a chain's master act in its branches under their own name. Such a visitor is a user of the
-- branch without a password, who ends with the person at the master, or with the branch's place in the chain.
alter table chain_branches add constraint chain_branches_by_master_key unique (tenant_id, master_id);
alter table users
  add column home_id integer,
  add column home_user_id integer,
  add constraint users_home_check check (
    (home_id is null) = (home_user_id is null)
    and (home_id is null or (password_hash is null and role = 'owner'))
  ),
  add constraint users_home_person_fkey foreign key (home_id, home_user_id)
    references users (tenant_id, id) on delete cascade,
  add constraint users_home_chain_fkey foreign key (tenant_id, home_id)
    references chain_branches (tenant_id, master_id) on delete cascade;
create unique index users_visitors on users (tenant_id, home_id, home_user_id);
create index users_by_home on users (home_id, home_user_id) where home_id is not null;

-- The link by which a visitor comes.
alter table account_links
  drop constraint account_links_kind_check,
  add constraint account_links_kind_check check (kind in ('invitation', 'password', 'email', 'visit'));
alter table people_log
  drop constraint people_log_action_check,
  add constraint people_log_action_check check (action in ('invited', 'joined', 'resent',
    'withdrawn', 'removed', 'role', 'name', 'email', 'password', 'password_link', 'passkey_added',
    'passkey_removed', 'session_ended', 'sessions_ended', 'visited'));
