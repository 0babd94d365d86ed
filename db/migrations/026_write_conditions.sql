-- What a write's `If-Match` names, as the gateway reads it: strong entity tags, or `*` for any. Null: there
-- was no condition. Gateways also fill `if_match`, because workers of the former release read that. Writes
-- that a gateway of the former release sent have `if_match` alone. A later release drops it.
alter table writes add column expected_tags text[];
-- Paths of the fields of a request that have no meaning, for the answer that its job gives later.
alter table writes add column ignored text[] not null default '{}';
