import { publishVersion } from '../../db/menu/new-version.ts';
import { type Db, sql } from '../../db/postgres/sql.ts';
import { UPKEEP } from '../../db/schema/version.ts';

/** Publishes a menu under its present version once more, as another past has it. */
export async function republish(tx: Db, tenantId: number): Promise<void> {
  await tx.run(sql.nothing`
    delete from versions v using tenants t
    where t.id = ${tenantId} and v.tenant_id = t.id and v.version >= t.version
  `);
  await publishVersion(tx, tenantId, [UPKEEP], true);
}
