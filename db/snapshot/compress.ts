import type { Db } from '../connection.ts';
import { announceVersion } from '../queries/announce-version.ts';
import { findSnapshots } from '../queries/find-snapshots.ts';
import { saveEncodings } from '../queries/save-encodings.ts';
import { LOCALES, type Locale } from '../records/locale.ts';
import { assembleSnapshot } from './assemble.ts';
import { encodeBodies } from './encodings.ts';
import { decodeParts } from './parts.ts';

/**
 * Adds the compressed answers to a tenant's stored snapshots and announces them; nothing happens
 * when they have them or when a newer version comes in between. One locale is compressed after the
 * other, so that this never takes all cores.
 */
export async function compressSnapshots(db: Db, tenantId: number): Promise<void> {
  const held = LOCALES.map((locale) => ({ locale, version: -1 }));
  const stored = await findSnapshots(db, tenantId, held);
  const encodings = new Map<Locale, Buffer>();
  let notice: { tenant_id: number; slug: string; version: number } | undefined;
  for (const { locale, slug, head, parts, encodings: done } of stored) {
    if (!head || done) continue;
    const byId = new Map(decodeParts(parts ?? '').map((part) => [part.id, part]));
    encodings.set(locale, await encodeBodies(assembleSnapshot(head, byId)));
    notice = { tenant_id: tenantId, slug, version: head.version };
  }
  if (notice && (await saveEncodings(db, tenantId, notice.version, encodings))) {
    await announceVersion(db, { ...notice, encoded: true });
  }
}
