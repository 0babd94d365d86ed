import * as v from 'valibot';
import { type Db, type Statement, sql } from '../postgres/sql.ts';
import type { MovedPair } from '../schema/translation.ts';

// Translations whose sources have changed since (`stale_texts`).

/** The translations of a restaurant whose pairs with their sources have changed. */
export interface MovedTexts {
  tenantId: number;
  pairs: readonly MovedPair[];
}

/**
 * The statement that marks translations whose sources changed. A source that becomes what it was again
 * takes the mark away.
 */
export function saveStaleStatement(moved: readonly MovedTexts[]): Statement {
  const rows = moved.flatMap(({ tenantId, pairs }) =>
    pairs.map((pair) => ({ tenant_id: tenantId, ...pair })),
  );
  return sql.nothing`
    with moved as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as m (tenant_id int, was text, pair text, source text, now text)
    ), gone as (
      delete from stale_texts s using moved m
      where s.tenant_id = m.tenant_id and s.pair = m.was
      returning s.tenant_id, s.pair, s.last_source
    )
    insert into stale_texts (tenant_id, pair, last_source)
    select m.tenant_id, m.pair, coalesce(g.last_source, m.source)
    from moved m left join gone g on g.tenant_id = m.tenant_id and g.pair = m.was
    where m.pair is not null and coalesce(g.last_source, m.source) <> m.now
    on conflict (tenant_id, pair) do nothing
  `;
}

/** Which translations are stale, by the pairs with their sources. */
export async function findStalePairs(db: Db, tenantId: number): Promise<ReadonlySet<string>> {
  const pairs = await db.any(sql.value(v.string())`
    select pair from stale_texts where tenant_id = ${tenantId}
  `);
  return new Set(pairs);
}

/** Marks translations that a document calls stale. */
export async function markStale(db: Db, tenantId: number, pairs: readonly string[]): Promise<void> {
  await db.run(sql.nothing`
    insert into stale_texts (tenant_id, pair, last_source)
    select ${tenantId}, pair, '' from unnest(${sql.array(pairs, 'text')}) as p (pair)
    on conflict (tenant_id, pair) do nothing
  `);
}

/** Takes the marks from translations that somebody has looked at. */
export async function markChecked(db: Db, tenantId: number, pairs: readonly string[]) {
  await db.run(sql.nothing`
    delete from stale_texts
    where tenant_id = ${tenantId} and pair = any (${sql.array(pairs, 'text')})
  `);
}
