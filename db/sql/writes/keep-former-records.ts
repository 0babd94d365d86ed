import { type Db, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { type Resource, records } from '../../schema/registry.ts';
import { tableOf } from '../menu/record-columns.ts';
import { settlePlainTexts } from '../menu/settle-plain-texts.ts';

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
