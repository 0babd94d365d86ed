import { type Db, sql } from '../../postgres/sql.ts';
import { sentWritesChannel } from '../../schema/notices.ts';

/** Tells the workers, when the transaction commits, that there are writes of these tenants. */
export async function announceSentWrites(db: Db, tenantIds: readonly number[]): Promise<void> {
  const payload = JSON.stringify(tenantIds);
  await db.run(sql.nothing`
    select from pg_notify(${sentWritesChannel}, ${payload})
  `);
}
