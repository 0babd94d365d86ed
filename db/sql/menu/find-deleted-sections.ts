import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const sectionSchema = v.object({ id: v.number(), parent_id: v.nullable(v.number()) });

/** The sections that one deletion took away. */
export function findDeletedSections(db: Db, tenantId: number, deletion: string) {
  return db.any(sql.type(sectionSchema)`
    select id, parent_id from sections where tenant_id = ${tenantId} and deletion = ${deletion}
  `);
}
