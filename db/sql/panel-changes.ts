import { type Db, sql } from '../postgres/sql.ts';
import { type PanelChange, panelChangeSchema } from '../schema/panel-change.ts';

interface ChangeKey {
  tenantId: number;
  sessionHash: Buffer;
  /** That of the form. */
  id: string;
}

/** Keeps what a form has changed. A form that is sent again changes nothing more. */
export async function saveChange(db: Db, key: ChangeKey, change: PanelChange): Promise<void> {
  await db.run(sql.nothing`
    insert into panel_changes (tenant_id, session_hash, id, said, undo)
    select tenant_id, hash, ${key.id}::uuid, ${JSON.stringify(change.said)}::jsonb,
      ${JSON.stringify(change.undo)}::jsonb
    from sessions where tenant_id = ${key.tenantId} and hash = ${sql.binary(key.sessionHash)}
    for key share
    on conflict do nothing
  `);
}

/** The change that a form of this session has made, or null. */
export function findChange(db: Db, key: ChangeKey): Promise<PanelChange | null> {
  return db.maybeOne(sql.type(panelChangeSchema)`
    select said, undo from panel_changes
    where tenant_id = ${key.tenantId} and session_hash = ${sql.binary(key.sessionHash)}
      and id = ${key.id}::uuid
  `);
}
