import type { Database } from '../../db/postgres/connection.ts';
import { encodeMenu } from '../../db/snapshot/encodings.ts';
import { decodeTemplates } from '../../db/snapshot/template.ts';
import { announceVersion } from '../../db/sql/snapshots/announce-version.ts';
import { findChangedSnapshot } from '../../db/sql/snapshots/find-snapshots.ts';
import { saveEncodings } from '../../db/sql/snapshots/save-encodings.ts';

/**
 * Adds the compressed answers to a tenant's stored snapshots and announces them; nothing happens
 * when they have them or when a newer version comes in between.
 */
export async function compressSnapshots(db: Database, tenantId: number): Promise<void> {
  const stored = await findChangedSnapshot(db, tenantId, -1);
  if (!stored?.head || stored.encoded) return;
  const { head, slug, templates } = stored;
  const encodings = await encodeMenu(head, decodeTemplates(templates ?? ''));
  const notice = { tenant_id: tenantId, slug, version: head.version, encoded: true };
  // Together: of what is stored and was not announced no gateway would hear, and no sweep look for it.
  await db.transaction(async (tx) => {
    const isSaved = await saveEncodings(tx, tenantId, head.version, encodings);
    if (isSaved) await announceVersion(tx, notice);
  });
}
