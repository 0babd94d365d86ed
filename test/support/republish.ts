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

/**
 * Puts another table of restaurants in the place of theirs: by it gateways know the past of a database.
 * A transaction is run again where it meets their statements in a deadlock.
 */
export async function changePast(tx: Db): Promise<void> {
  await tx.run(sql.nothing`create table kept as select * from tenants`);
  await tx.run(sql.nothing`drop table tenants cascade`);
  await tx.run(sql.nothing`alter table kept rename to tenants`);
}
