import assert from 'node:assert/strict';
import { runSql } from './sql.ts';

/** The faults of a journal, each as a statement that finds none where all is well. */
const FAULTS = {
  'versions whose entry is missing': `
    select t.id, t.version from tenants t left join versions v on v.tenant_id = t.id
    group by t.id, t.version having t.version is distinct from max(v.version)
      or count(distinct v.version) <> max(v.version) - min(v.version) + 1`,
  'writes with several entries': `
    select job_id from versions where job_id is not null group by job_id having count(*) > 1`,
  'writes that changed a record and have no entry': `
    select w.id, w.outcome->>'kind' as kind from writes w
    where w.outcome->>'kind' in ('created', 'deleted', 'restored') and not exists (
      select from versions v
      where v.tenant_id = w.tenant_id and v.job_id = w.id and v.version = w.version
    )`,
  'entries of writes without a result': `
    select v.job_id from versions v join writes w on w.tenant_id = v.tenant_id and w.id = v.job_id
    where w.finished_at is null or w.version is distinct from v.version`,
  'dishes that are there and were not created once': `
    select d.id from dishes d left join (
      select v.tenant_id, (c->>'id')::int as id,
        sum(case c->>'action' when 'deleted' then -1 when 'changed' then 0 else 1 end) as there
      from versions v, jsonb_array_elements(v.changes) c where c->>'resource' = 'items' group by 1, 2
    ) j on j.tenant_id = d.tenant_id and j.id = d.id
    where coalesce(j.there, 0) <> case when d.deleted_at is null then 1 else 0 end`,
};

/** Versions, entries, results and dishes of a database agree; its history is whole. */
export async function assertJournal(databaseUrl: string): Promise<void> {
  for (const [fault, statement] of Object.entries(FAULTS)) {
    assert.deepEqual(await runSql(databaseUrl, statement), [], fault);
  }
}
