-- A scope for what a dish's days of a month add up to; 009_item_months.sql says why. It has a file of
-- its own, since a value cannot be used in the transaction that adds it.
alter type analytics_scope add value 'item_month';
