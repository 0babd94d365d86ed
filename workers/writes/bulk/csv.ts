import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { dishColumns, fromCells, unguardCell } from '../../../db/schema/dish-table.ts';
import { createIgnoredFields } from '../../../db/schema/validation/ignored-fields.ts';
import { type FieldErrors, ruleTexts } from '../../../db/schema/validation/messages.ts';
import type { MenuDocument } from './import-operations.ts';

/** As Excel on a Western European desk writes a table. */
const WINDOWS = new TextDecoder('windows-1252');
const UTF8 = new TextDecoder('utf-8');

const columnNames = dishColumns.map(({ name }) => name);

/** What is wrong with rows that have more cells than the header: a separator stands unquoted in one. */
function longRows(width: number, lines: readonly string[][]): FieldErrors {
  const long = lines.flatMap((line, index): [string, string[]][] =>
    line.slice(width).some((cell) => cell.trim() !== '')
      ? [[`items.${index}`, [`La riga ha ${line.length} celle, e l’intestazione ${width}.`]]]
      : [],
  );
  return Object.fromEntries(long);
}

/** What is wrong with a header. */
function headerErrors(names: readonly string[]): FieldErrors {
  const known = names.filter((name) => columnNames.includes(name));
  if (known.length === 0) {
    return { body: ['La prima riga del CSV deve contenere i nomi delle colonne.'] };
  }
  const repeated = known.filter((name, index) => known.indexOf(name) !== index);
  return Object.fromEntries(repeated.map((name) => [name, [ruleTexts.distinct(name)]]));
}

/** Dishes of a table with a header; columns with unknown names have no meaning. */
export function readCsv(
  document: Buffer,
): { menu: MenuDocument; ignored: readonly string[] } | { errors: FieldErrors } {
  const text = (isUtf8(document) ? UTF8 : WINDOWS).decode(document);
  let rows: string[][];
  try {
    rows = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      skip_records_with_empty_values: true,
      relax_column_count: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const place = typeof error.lines === 'number' ? `: errore alla riga ${error.lines}` : '';
    return { errors: { body: [`Il corpo della richiesta non è CSV valido${place}.`] } };
  }
  const [header = [], ...lines] = rows;
  const names = header.map((name) => name.trim());
  const errors = { ...headerErrors(names), ...longRows(names.length, lines) };
  if (Object.keys(errors).length > 0) return { errors };
  // A short row says nothing of the columns that it lacks.
  const items = lines.map((line) =>
    fromCells(
      new Map(line.slice(0, names.length).map((cell, at) => [names[at] ?? '', unguardCell(cell)])),
    ),
  );
  const ignored = createIgnoredFields();
  ignored.note(Object.fromEntries(names.map((name) => [name, null])), ['', ...columnNames]);
  return { menu: { lists: { items } }, ignored: ignored.paths() };
}

/** The separator that the header has most of. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
