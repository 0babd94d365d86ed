import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';
import { type Write, writeSchema } from '../../schema/write.ts';

const columns = sql.fragment`
  tenant_id, id, resource, action, record_id, input, if_match, document
`;

/**
 * The tenant's next writes in the order in which they were sent, as many as share a rebuild. The
 * tenant's row must be locked, so that no other worker does them.
 */
export function takeWrites(db: Db, tenantId: number): Promise<readonly Write[]> {
  return db.any(sql.type(writeSchema)`
    select ${columns} from writes
    where tenant_id = ${tenantId} and finished_at is null
    order by batch, id
    limit ${constants.maxWritesPerRebuild}
  `);
}

/** One write, unless it is finished already. */
export function takeWrite(db: Db, tenantId: number, id: string): Promise<Write | null> {
  return db.maybeOne(sql.type(writeSchema)`
    select ${columns} from writes
    where tenant_id = ${tenantId} and id = ${id} and finished_at is null
  `);
}
