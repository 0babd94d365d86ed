import { type Db, sql } from '../../postgres/sql.ts';

/** Tables with rows of tenants that are written too often to be tied to the tenant by a foreign key. */
const LOOSE_TABLES = [
  'analytics_events',
  'analytics_event_ids',
  'analytics_visits',
  'event_budgets',
  'limit_windows',
] as const;

/**
 * Deletes a tenant and every row that belongs to it, for good. It belongs in a transaction: of raw
 * events every partition is read, however long that takes. The tenant comes last, so that others wait
 * for its row no longer than they must.
 */
export async function deleteTenant(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`set local statement_timeout = 0`);
  for (const table of LOOSE_TABLES) {
    await db.run(sql.nothing`
      delete from ${sql.identifier([table])} where tenant_id = ${tenantId}
    `);
  }
  await db.run(sql.nothing`delete from tenants where id = ${tenantId}`);
}
