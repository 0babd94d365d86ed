-- Writes are done in the order of these numbers, one for all that a gateway hands over together. The
-- time at which they came is no order: Postgres' clock may be set back between two of them.
create sequence writes_batch;
alter table writes add column batch bigint not null default 0;
update writes w set batch = o.place
from (
  select tenant_id, id, row_number() over (order by created_at, id) as place
  from writes where finished_at is null
) o
where w.tenant_id = o.tenant_id and w.id = o.id;
select setval('writes_batch', (select max(batch) from writes) + 1) from writes limit 1;
alter table writes alter column batch set default nextval('writes_batch');
alter sequence writes_batch owned by writes.batch;
drop index writes_waiting;
create index writes_waiting on writes (tenant_id, batch, id) where finished_at is null;
