import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** Why a write was not done: an unexpected error, or a timeout. */
type Failure = 'errors' | 'timeouts';

/** Counts that a write has failed, and returns how often it has in this way; 0 when it is finished. */
export async function countFailure(
  db: Db,
  tenantId: number,
  id: string,
  failure: Failure,
): Promise<number> {
  const column = sql.identifier([failure]);
  const count = await db.maybeOne(sql.value(v.number())`
    update writes set ${column} = ${column} + 1
    where tenant_id = ${tenantId} and id = ${id} and finished_at is null
    returning ${column} as count
  `);
  return count ?? 0;
}
