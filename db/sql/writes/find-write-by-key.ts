import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const keyedWriteSchema = v.object({ id: v.string(), request_hash: v.instance(Buffer) });

/** The write that a token sent under an idempotency key, or null. */
export function findWriteByKey(
  db: Db,
  write: { tenant_id: number; token_id: number; idempotency_key: string | null },
) {
  return db.maybeOne(sql.type(keyedWriteSchema)`
    select id, request_hash from writes
    where tenant_id = ${write.tenant_id} and token_id = ${write.token_id}
      and idempotency_key = ${write.idempotency_key}
  `);
}
