import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { type Resource, records } from '../schema/registry.ts';
import { ownColumns, settlePlainTexts, tableOf } from './record-columns.ts';

/** Ids of records that an import is about to write. */
export interface Touched {
  created: readonly number[];
  /** Of those that it changes or deletes; of a singleton any. */
  present: readonly number[];
}

/** Forgets what a restaurant's older imports found, so that with the next one `maxKeptImports` are kept. */
async function forgetOlder(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`
    update writes set former = null
    where tenant_id = ${tenantId} and id in (
      select id from writes where tenant_id = ${tenantId} and former is not null
      order by batch desc, id desc offset ${constants.maxKeptImports - 1}
    )
  `);
}

/**
 * Keeps, in an import's own write and before it changes anything, what takes it back. Its rows never
 * leave Postgres.
 */
export async function keepFormerRecords(
  db: Db,
  tenantId: number,
  writeId: string,
  touched: ReadonlyMap<Resource, Touched>,
): Promise<void> {
  // The default language may be another one when the rows come back.
  await settlePlainTexts(db, tenantId);
  await forgetOlder(db, tenantId);
  const created = Object.fromEntries(
    [...touched].map(([resource, ids]) => [resource, ids.created]),
  );
  const rows = [...touched].map(([resource, { present }]) => {
    const { isSingleton } = records[resource];
    const ids = sql.array(present, 'int4');
    const which = isSingleton ? sql.fragment`` : sql.fragment`and r.id = any (${ids})`;
    return sql.fragment`${resource}::text, (
      select coalesce(jsonb_agg(to_jsonb(r)), '[]') from ${tableOf(records[resource])} r
      where r.tenant_id = ${tenantId} ${which}
    )`;
  });
  await db.run(sql.nothing`
    update writes set former = jsonb_build_object('at', now(),
      'created', ${JSON.stringify(created)}::jsonb,
      'rows', jsonb_build_object(${sql.join(rows, ', ')}))
    where tenant_id = ${tenantId} and id = ${writeId}
  `);
}

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

const KEPT = new Set(['id', 'created_at', 'updated_at']);

/**
 * Gives records of one kind the rows again that an import found (`keepFormerRecords`), and with them
 * brings back those that it deleted. Their external ids must be free.
 */
export async function restoreFormerRecords(
  db: Db,
  resource: Resource,
  tenantId: number,
  writeId: string,
): Promise<void> {
  const record = records[resource];
  const names = (await ownColumns(db, record.table)).filter((name) => !KEPT.has(name));
  const columns = sql.identifiers(names);
  const which = record.isSingleton ? sql.fragment`` : sql.fragment`and u.id = (f.row->>'id')::int`;
  // A column that an upgrade has added since keeps its value.
  await db.run(sql.nothing`
    with former as materialized (
      select jsonb_array_elements(former->'rows'->${resource}::text) as row
      from writes where tenant_id = ${tenantId} and id = ${writeId}
    )
    update ${tableOf(record)} u
    set (${columns}) = (select ${columns} from jsonb_populate_record(u, f.row)), updated_at = now()
    from former f where u.tenant_id = ${tenantId} ${which}
  `);
}
