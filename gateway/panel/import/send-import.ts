import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { menuTag } from '../../../db/schema/bulk.ts';
import type { ImportDiff } from '../../../db/schema/import-diff.ts';
import type { FieldErrors } from '../../../db/schema/validation/messages.ts';
import type { NewWrite, WriteResult } from '../../../db/schema/write.ts';
import { UnavailableError } from '../../http/errors.ts';
import type { Desk } from '../desk.ts';
import type { Upload } from './read-upload.ts';

/** What an import came to, or would come to. */
export type Imported =
  /** `etag` is the tag of the menu with which the file was compared. */
  | {
      kind: 'compared';
      isApplied: boolean;
      diff: ImportDiff;
      ignored: readonly string[];
      etag: string;
    }
  /** The file as a whole is wrong; texts in Italian, by field. */
  | { kind: 'invalid'; errors: FieldErrors }
  /** The menu has changed since the diff was made. */
  | { kind: 'outdated' }
  /** It is kept and will be done. */
  | { kind: 'waiting' }
  | { kind: 'failed' | 'too-many' };

function importedOf({ outcome, version }: WriteResult): Imported {
  if (outcome.kind === 'invalid') return { kind: 'invalid', errors: outcome.errors };
  if (outcome.kind === 'outdated_menu') return { kind: 'outdated' };
  // A worker of the former release knows no diff; it lives for the moments of an upgrade.
  if (outcome.kind !== 'bulk' || !outcome.diff) return { kind: 'failed' };
  const { applied, diff, ignored } = outcome;
  return { kind: 'compared', isApplied: applied, diff, ignored, etag: menuTag(version) };
}

/**
 * Does an import as `PUT /admin/import` does: by the same rules, in the same queue.
 *
 * @param applyTo the tag of the menu to which it is applied; null for a dry run
 */
export async function sendImport(
  { visit, session, writes, bound }: Desk,
  { document, format, deleteMissing, formId }: Upload,
  applyTo: string | null,
): Promise<Imported> {
  const { tenantId } = visit;
  if (bound.take(tenantId) > 0) return { kind: 'too-many' };
  const input = { format, dry_run: applyTo === null, delete_missing: deleteMissing, diff: true };
  const asked = createHash('sha256').update(JSON.stringify(['import', formId, input, applyTo]));
  const digest = asked.update(document).digest();
  const write: NewWrite = {
    tenant_id: tenantId,
    id: uuidV7(),
    token_id: -session.user_id,
    resource: 'menu',
    action: 'import',
    record_id: null,
    input,
    expected_tags: applyTo === null ? null : [applyTo],
    document,
    idempotency_key: `panel-${digest.toString('hex')}`,
    request_hash: digest,
    ignored: [],
  };
  try {
    const { result } = await writes.settle(write, visit.context.front.tenant.slug);
    return result ? importedOf(result) : { kind: 'waiting' };
  } catch (error) {
    if (error instanceof UnavailableError) return { kind: 'failed' };
    throw error;
  }
}
