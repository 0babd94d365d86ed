import { type BulkOutcome, countOutcomes, type OperationResult } from '../../schema/bulk.ts';
import type { TableFacts } from '../../schema/table.ts';
import { sayErrors } from '../../schema/validation/messages.ts';
import type { FieldErrors } from '../../schema/validation/rule.ts';
import type { WriteResult } from '../../schema/write.ts';
import type { CommandReport } from './command.ts';

const json = (value: unknown) => JSON.stringify(value) ?? 'null';

/** One changed record, such as `updated items 7 "gricia": price: 11.5 → 12`. */
function changeLine({ outcome, resource, id, external_id, changes }: OperationResult): string {
  const key = external_id === null ? null : json(external_id);
  const name = [outcome, resource, id, key].filter((part) => part !== null).join(' ');
  const fields = Object.entries(changes).map(
    ([field, [before, after]]) => `${field}: ${json(before)} → ${json(after)}`,
  );
  return fields.length > 0 ? `${name}: ${fields.join('; ')}` : name;
}

/** @param row of a table, as a spreadsheet counts */
function errorLines(errors: FieldErrors, path: string, row?: number): string[] {
  return Object.entries(sayErrors(errors, path)).flatMap(([field, texts]) => {
    const name = [path, field].filter(Boolean).join('.');
    const place = row === undefined ? name : `row ${row}, ${field}`;
    return texts.map((text) => `error ${place}: ${text}`);
  });
}

function tableLine({ encoding, separator, decimal_sign: sign, columns }: TableFacts): string {
  const decimals = sign === null ? 'no decimals' : `decimal sign ${json(sign)}`;
  const names = columns.flatMap(({ header, target }) => (target ? [`${header} → ${target}`] : []));
  return `table: ${encoding}, separator ${json(separator)}, ${decimals}; ${names.join(', ')}`;
}

function summary({ applied, dry_run, results }: BulkOutcome, version: number): string {
  const counts = Object.entries(countOutcomes(results)).map(([what, count]) => `${count} ${what}`);
  const end = dry_run
    ? 'this was a dry run: nothing was changed'
    : applied
      ? `the menu is in version ${version}`
      : 'nothing was changed';
  return `${counts.join(', ')}; ${end}`;
}

/** The result of an import as text: a line a changed record, a line an error, and the counts. */
export function describeImport({ outcome, version }: WriteResult): CommandReport {
  if (outcome.kind === 'bulk') {
    const { results, table, ignored } = outcome;
    // Of an import that was refused as a whole, only the errors are of use.
    const isTaken = outcome.applied || outcome.dry_run;
    const changed = results.filter(
      ({ outcome: came }) => came !== 'unchanged' && came !== 'failed',
    );
    const lines = [
      ...(table ? [tableLine(table)] : []),
      ...(isTaken ? changed.map(changeLine) : []),
      ...results.flatMap(({ errors, path, row }) => errorLines(errors, path, row)),
      ...ignored.map((path) => `ignored ${json(path)}: it has no meaning here`),
      summary(outcome, version),
    ];
    const failed = results.some((result) => result.outcome === 'failed');
    return { text: lines.join('\n'), failed };
  }
  const lines = outcome.kind === 'invalid' ? errorLines(outcome.errors, '') : [];
  const why = outcome.kind === 'invalid' ? '' : ': a worker failed at it, and its log says why';
  return { text: [...lines, `nothing was changed${why}`].join('\n'), failed: true };
}
