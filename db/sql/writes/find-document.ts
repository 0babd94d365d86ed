import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** The body of a write of a whole menu, as it was sent. */
export async function findDocument(db: Db, tenantId: number, id: string): Promise<Buffer> {
  const document = await db.one(sql.value(v.nullable(v.instance(Buffer)))`
    select document from writes where tenant_id = ${tenantId} and id = ${id}
  `);
  return document ?? Buffer.alloc(0);
}
