import { createHash } from 'node:crypto';
import { type ImportDiff, menuTag } from '../../../db/schema/bulk.ts';
import type { ExchangeReport } from '../../../db/schema/exchange-report.ts';
import type { TableFacts } from '../../../db/schema/table.ts';
import type { FieldErrors } from '../../../db/schema/validation/rule.ts';
import type { WriteResult } from '../../../db/schema/write.ts';
import type { Desk } from '../desk.ts';
import { asFailed, LateWriteError, sendWrite } from '../writes/save.ts';
import type { ImportUpload } from './read-upload.ts';

/** The result of an import or of a dry run. */
export type Imported =
  /** `etag` is the tag of the menu with which the file was compared. */
  | {
      kind: 'compared';
      id: string;
      isApplied: boolean;
      diff: ImportDiff;
      /** How a table was read. */
      table: TableFacts | undefined;
      /** The losses of the document of a service. */
      report: ExchangeReport | undefined;
      ignored: readonly string[];
      etag: string;
    }
  /** The file as a whole is wrong; texts in Italian, by field. */
  | { kind: 'invalid'; errors: FieldErrors; table: TableFacts | undefined }
  /** The menu has changed since the diff was made. */
  | { kind: 'outdated' }
  /** It is kept and will be done. */
  | { kind: 'waiting' }
  | { kind: 'failed' | 'too-many' };

function importedOf({ id, outcome, version }: WriteResult): Imported {
  if (outcome.kind === 'invalid') {
    return { kind: 'invalid', errors: outcome.errors, table: outcome.table };
  }
  if (outcome.kind === 'outdated_menu') return { kind: 'outdated' };
  if (outcome.kind !== 'bulk' || !outcome.diff) return { kind: 'failed' };
  const { applied, diff, table, report, ignored } = outcome;
  const read = { table, report, ignored, etag: menuTag(version) };
  return { kind: 'compared', id, isApplied: applied, diff, ...read };
}

/** The fields of existing dishes that may change where only prices do. */
const PRICES = ['price', 'price_on_request', 'price_unit', 'variants'];

/**
 * Does an import as `PUT /admin/import` does: by the same rules, in the same queue.
 *
 * @param applyTo the tag of the menu to which it is applied; null for a dry run
 */
export async function sendImport(
  desk: Desk,
  { document, format, service, table, formId, ...upload }: ImportUpload,
  applyTo: string | null,
): Promise<Imported> {
  const input = {
    ...{
      format: service ?? format,
      dry_run: applyTo === null,
      delete_missing: upload.deleteMissing && 'all',
      diff: true,
    },
    // The page shows each deletion and each change before somebody applies them.
    confirm_allergens: true,
    ...(upload.onlyPrices && { fields: PRICES }),
    ...(upload.skipsRefused && { skip_refused: true }),
    ...((format === 'csv' || service !== null) && { table }),
  };
  const expected_tags = applyTo === null ? null : [applyTo];
  const content = createHash('sha256').update(document).digest('hex');
  const sent = await sendWrite(
    desk,
    { resource: 'menu', action: 'import', input, expected_tags, document },
    [formId, input, applyTo, content],
  ).catch((error) =>
    error instanceof LateWriteError ? ({ kind: 'waiting' } as const) : asFailed(error),
  );
  return 'kind' in sent ? { kind: sent.kind } : importedOf(sent);
}
