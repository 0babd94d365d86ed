import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../postgres/connection.ts';
import { withBoss } from '../../queue/boss.ts';
import { sendWrites } from '../../queue/send-writes.ts';
import { type Constants, constants as defaults } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type BulkOutcome, countOutcomes, type OperationResult } from '../../schema/bulk.ts';
import { tellErrors } from '../../schema/error-sentences.ts';
import type { ImportFormat } from '../../schema/exchange-report.ts';
import type { AskedTable, TableFacts } from '../../schema/table.ts';
import type { FieldErrors } from '../../schema/validation/rule.ts';
import { newWrite, type WriteResult } from '../../schema/write.ts';
import { findWriteResults, secureWrites } from '../../sql/writes.ts';
import type { CommandReport, Context } from './command.ts';
import { describeReport } from './describe-report.ts';

/** The `token_id` of a write that an operator's command sends. */
const OPERATOR = 0;

/**
 * Hands a document to the queue, as the admin API does, and waits until a worker has done it.
 *
 * @param input how the document is to be taken, as `PUT /admin/import` is asked
 * @throws {OperatorError} when the queue is full, or no worker has done it in time
 */
export async function importMenu(
  { database, databaseUrl, progress }: Pick<Context, 'database' | 'databaseUrl' | 'progress'>,
  tenantId: number,
  document: Buffer,
  input: {
    format: 'json' | 'csv' | ImportFormat;
    dry_run: boolean;
    delete_missing: boolean | 'all';
    confirm_allergens?: boolean;
    table?: AskedTable;
    fields?: readonly string[] | undefined;
    skip_refused?: boolean;
  },
  constants: Pick<typeof defaults, 'resultPoll' | 'commandWriteTimeout'> = defaults,
): Promise<WriteResult> {
  const asked = { resource: 'menu', action: 'import', input, document } as const;
  const write = newWrite(
    { tenant_id: tenantId, token_id: OPERATOR, ...asked },
    ...[JSON.stringify(input), document],
  );
  const [sent] = await withBoss(databaseUrl, (boss) =>
    sendWrites(boss, [write], () => false, defaults),
  );
  if (!sent?.inserted) {
    throw new OperatorError(
      `The restaurant has ${defaults.maxWaitingWrites} waiting writes, and may not have more: try again later.`,
    );
  }
  progress(`sent ${document.length} bytes; waiting for a worker`);
  const key = { tenantId, id: write.id };
  const result = await awaitResult(database, key, constants);
  if (result) return result;
  if ((await secureWrites(database, [key])).size === 0) {
    throw new OperatorError('The import was lost: Postgres has crashed. Nothing was changed.');
  }
  const seconds = constants.commandWriteTimeout / 1_000;
  throw new OperatorError(
    `No worker has done the import in ${seconds} s. It stays in the queue, and a worker does it ` +
      'as soon as one runs: start one with npm start or npm run worker.',
  );
}

/** The result of a write; null when no worker has done it in `commandWriteTimeout`. */
export async function awaitResult(
  database: Database,
  key: { tenantId: number; id: string },
  { resultPoll, commandWriteTimeout }: Pick<Constants, 'resultPoll' | 'commandWriteTimeout'>,
): Promise<WriteResult | null> {
  const end = performance.now() + commandWriteTimeout;
  for (;;) {
    const [found] = await findWriteResults(database, [key]);
    if (found?.result) return found.result;
    if (performance.now() >= end) return null;
    await sleep(resultPoll);
  }
}

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
function errorLines(
  language: string,
  errors: FieldErrors,
  { path, row, resource }: Partial<OperationResult>,
): string[] {
  const told = tellErrors(language, errors, { path, resource });
  return Object.entries(told).flatMap(([field, texts]) => {
    const name = [path, field].filter(Boolean).join('.');
    const place = row === undefined ? name : `row ${row}, ${field}`;
    return texts.map((text) => `error ${place}: ${text}`);
  });
}

function tableLine({
  encoding,
  separator,
  decimal_sign: sign,
  columns,
  signs = [],
  codes = [],
  sheets = [],
  hidden_rows = [],
  source = null,
}: TableFacts): string {
  const decimals = sign === null ? 'no decimals' : `decimal sign ${json(sign)}`;
  const names = columns.flatMap(({ header, target }) => (target ? [`${header} → ${target}`] : []));
  const meanings = [...signs, ...codes].map(
    (one) => `${json(one.sign)} → ${one.meaning ?? 'not known'}`,
  );
  const allergens = meanings.length > 0 ? `; signs of allergens: ${meanings.join(', ')}` : '';
  const unread = [
    ...sheets.filter((one) => !one.is_read).map(({ name }) => `\nsheet ${json(name)} is not read`),
    ...(hidden_rows.length > 0 ? [`\nhidden rows are not read: ${hidden_rows.join(', ')}`] : []),
  ];
  const of = source ? ` of ${source}` : '';
  return `table${of}: ${encoding}, separator ${json(separator)}, ${decimals}; ${names.join(', ')}${allergens}${unread.join('')}`;
}

/** Why a field or a column is ignored, such as `it has no meaning here`. */
function ignoredLine(path: string, columns: TableFacts['columns'] = []): string {
  const {
    left,
    examples = [],
    might_be = [],
  } = columns.find(({ header }) => header === path) ?? {};
  if (path === 'delete_missing')
    return 'nothing is deleted: a sheet, a row or a column was not read';
  if (left) return `ignored ${json(path)}: ${left}`;
  const values = examples.length > 0 && `it holds ${examples.map(json).join(', ')}`;
  const hint = might_be.length > 0 && `it might be ${might_be.join(', ')}`;
  return [`ignored ${json(path)}: it has no meaning here`, values, hint].filter(Boolean).join('; ');
}

function leftOutLines({ failures, results }: NonNullable<BulkOutcome['left_out']>): string[] {
  return [
    ...(failures > 0 ? [`error: ${failures} more records failed; only the first are listed`] : []),
    ...(results > 0 ? [`${results} more records are not listed`] : []),
  ];
}

function summary(
  { applied, dry_run, results, counts: all = countOutcomes(results) }: BulkOutcome,
  version: number,
): string {
  const counts = Object.entries(all).map(([what, count]) => `${count} ${what}`);
  const end = dry_run
    ? 'this was a dry run: nothing was changed'
    : applied
      ? `the menu is in version ${version}`
      : 'nothing was changed';
  return `${counts.join(', ')}; ${end}`;
}

/**
 * The result of an import as text: a line a changed record, a line an error, and the counts.
 *
 * @param language of the errors: that of the restaurant
 */
export function describeImport({ outcome, version }: WriteResult, language: string): CommandReport {
  if (outcome.kind === 'bulk') {
    const { results, table, report, ignored, left_out } = outcome;
    // Of an import that was refused as a whole, only the errors are of use.
    const isTaken = outcome.applied || outcome.dry_run;
    const changed = results.filter(
      ({ outcome: came }) => came !== 'unchanged' && came !== 'failed',
    );
    const lines = [
      ...(table ? [tableLine(table)] : []),
      ...(report ? describeReport(report) : []),
      ...(isTaken ? changed.map(changeLine) : []),
      ...results.flatMap((result) => errorLines(language, result.errors, result)),
      ...(left_out ? leftOutLines(left_out) : []),
      ...ignored.map((path) => ignoredLine(path, table?.columns)),
      summary(outcome, version),
    ];
    const failed = results.some((result) => result.outcome === 'failed');
    return { text: lines.join('\n'), failed };
  }
  const isWrong = outcome.kind === 'invalid';
  const lines = [
    ...(isWrong && outcome.table ? [tableLine(outcome.table)] : []),
    ...(isWrong ? errorLines(language, outcome.errors, {}) : []),
    `nothing was changed${isWrong ? '' : ': a worker failed at it, and its log says why'}`,
  ];
  return { text: lines.join('\n'), failed: true };
}
