import { type Db, sql } from '../../postgres/sql.ts';
import { type PanelChange, panelChangeSchema } from '../../schema/panel-change.ts';
import type { ChangeKey } from './save-change.ts';

/** The change that a form of this session has made, or null. */
export function findChange(db: Db, key: ChangeKey): Promise<PanelChange | null> {
  return db.maybeOne(sql.type(panelChangeSchema)`
    select said, undo from panel_changes
    where tenant_id = ${key.tenantId} and session_hash = ${key.sessionHash}
      and id = ${key.id}::uuid
  `);
}
