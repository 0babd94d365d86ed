import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

/** Tables whose columns' meanings a restaurant keeps. */
const MAX_KEPT_TABLES = 20;

/** The answers of a restaurant about a table, for the next one with the same headers. */
export interface KeptTable {
  headers: readonly string[];
  /** The meanings of columns by place: empty for one that is left out, null where nothing was said. */
  targets: readonly (string | null)[];
  /** The meanings of signs and codes of allergens. */
  signs: Readonly<Record<string, string>>;
}

const keptSchema = v.object({
  targets: v.array(v.nullable(v.string())),
  signs: v.record(v.string(), v.string()),
});

/** Headers of any length as a key. */
function keyOf(headers: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(headers)).digest();
}

/** The answers of a restaurant about a table with these headers; null where there are none. */
export async function findKeptTable(db: Db, tenantId: number, headers: readonly string[]) {
  const kept = await db.maybeOne(sql.type(keptSchema)`
    select targets, signs from table_columns
    where tenant_id = ${tenantId} and header = ${sql.binary(keyOf(headers))}
  `);
  return kept && { places: kept.targets, signs: kept.signs };
}

/** Keeps what was said of a table; the restaurant's oldest ones beyond the bound are deleted. */
export async function keepTable(db: Db, tenantId: number, { headers, targets, signs }: KeptTable) {
  await db.run(sql.nothing`
    insert into table_columns (tenant_id, header, targets, signs)
    values (${tenantId}, ${sql.binary(keyOf(headers))}, ${JSON.stringify(targets)}::jsonb,
      ${JSON.stringify(signs)}::jsonb)
    on conflict (tenant_id, header) do update
    set targets = excluded.targets, signs = table_columns.signs || excluded.signs, used_at = now()
  `);
  await db.run(sql.nothing`
    delete from table_columns
    where tenant_id = ${tenantId} and header in (
      select header from table_columns where tenant_id = ${tenantId}
      order by used_at desc, header offset ${MAX_KEPT_TABLES}
    )
  `);
}
