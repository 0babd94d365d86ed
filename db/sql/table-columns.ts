import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';

const keptSchema = v.object({ targets: v.array(v.string()) });

/** Headers of any length as a key. */
function keyOf(headers: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(headers)).digest();
}

/** The meanings of columns that a restaurant gave a table with these headers, by place; or null. */
export async function findTableColumns(
  db: Db,
  tenantId: number,
  headers: readonly string[],
): Promise<readonly string[] | null> {
  const kept = await db.maybeOne(sql.type(keptSchema)`
    select targets from table_columns
    where tenant_id = ${tenantId} and header = ${sql.binary(keyOf(headers))}
  `);
  return kept?.targets ?? null;
}

/** Keeps the meanings of a table's columns; the restaurant's oldest ones beyond the bound are deleted. */
export async function keepTableColumns(
  db: Db,
  tenantId: number,
  headers: readonly string[],
  targets: readonly string[],
): Promise<void> {
  await db.run(sql.nothing`
    insert into table_columns (tenant_id, header, targets)
    values (${tenantId}, ${sql.binary(keyOf(headers))}, ${JSON.stringify(targets)}::jsonb)
    on conflict (tenant_id, header) do update set targets = excluded.targets, used_at = now()
  `);
  await db.run(sql.nothing`
    delete from table_columns
    where tenant_id = ${tenantId} and header in (
      select header from table_columns where tenant_id = ${tenantId}
      order by used_at desc, header offset ${constants.maxKeptTables}
    )
  `);
}
