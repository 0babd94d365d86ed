import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { type Resource, records } from '../../schema/registry.ts';
import { tableOf } from '../menu/record-columns.ts';

const idsSchema = v.record(v.string(), v.array(v.number()));

const formerSchema = v.object({
  /** Ids of the records that the import created, by resource. */
  created: idsSchema,
  /** Ids of those that it changed or deleted; of a singleton there are none. */
  present: idsSchema,
  /** Whether no later write has changed, deleted or restored one of them. */
  is_untouched: v.boolean(),
});
export type FormerRecords = v.InferOutput<typeof formerSchema>;

/** Whether a record that an import has written still has the time of its transaction. */
function hasItsTime(resource: Resource) {
  const record = records[resource];
  const stays = sql.fragment`
    select from ${tableOf(record)} u where u.tenant_id = k.tenant_id and u.updated_at = k.at
  `;
  if (record.isSingleton) {
    return sql.fragment`(not k.rows ? ${resource}::text or exists (${stays}))`;
  }
  return sql.fragment`
    not exists (
      select from (
        select (row->>'id')::int from jsonb_array_elements(k.rows->${resource}::text) as row
        union all
        select id::int from jsonb_array_elements_text(k.created->${resource}::text) as id
      ) f (id)
      where not exists (${stays} and u.id = f.id)
    )
  `;
}

/** The records of an import that can be taken back, without their rows; null when none are kept. */
export function findFormerRecords(
  db: Db,
  tenantId: number,
  writeId: string,
): Promise<FormerRecords | null> {
  const untouched = (Object.keys(records) as Resource[]).map(hasItsTime);
  return db.maybeOne(sql.type(formerSchema)`
    with k as materialized (
      select tenant_id, former->'created' as created, former->'rows' as rows,
        (former->>'at')::timestamptz as at
      from writes where tenant_id = ${tenantId} and id = ${writeId} and former is not null
    )
    select created, (
      select jsonb_object_agg(key, jsonb_path_query_array(value, '$[*].id')) from jsonb_each(rows)
    ) as present, ${sql.join(untouched, ' and ')} as is_untouched
    from k
  `);
}
