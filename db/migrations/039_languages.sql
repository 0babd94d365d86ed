-- The language that names must have, and that texts without a translation come in.
alter table settings add column fallback_locale text not null default 'it';
-- An array has as many places as the languages of its events need.
alter table analytics_counts drop constraint analytics_counts_by_locale_check;
