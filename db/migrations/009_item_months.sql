-- A dish has a row for every day on which it was opened: by far most of the roll-ups, and a report over
-- a year and the year before read them all. Whole months are added up beside, under the first day of
-- the month; a report reads these and the days at both ends of its period.

-- The new name keeps workers of the version before, which know of no months, from adding to the days
-- alone: their jobs fail and are done again once these workers have been replaced.
alter table analytics_counts rename column by_locale to views_by_locale;

create table analytics_counts_item_month partition of analytics_counts
  for values in ('item_month') with (fillfactor = 80);

insert into analytics_counts (tenant_id, scope, day, key, events, visitors, views_by_locale)
select tenant_id, 'item_month', date_trunc('month', day)::date as month, key, sum(events),
  sum(visitors),
  array[sum(views_by_locale[1]), sum(views_by_locale[2]), sum(views_by_locale[3]),
    sum(views_by_locale[4]), sum(views_by_locale[5])]
from analytics_counts where scope = 'item'
group by tenant_id, month, key;
