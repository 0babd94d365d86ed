import { type Db, sql } from '../../postgres/connection.ts';
import { type VersionNotice, versionsChannel } from '../../postgres/notices.ts';

/** Tells every gateway, when the transaction commits, that a tenant has a new version. */
export async function announceVersion(db: Db, notice: VersionNotice): Promise<void> {
  await db.run(
    sql.typeAlias('nothing')`select from pg_notify(${versionsChannel}, ${JSON.stringify(notice)})`,
  );
}
