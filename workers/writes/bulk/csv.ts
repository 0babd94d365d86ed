import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { dishColumns, fromCells } from '../../../db/schema/dish-table.ts';
import type { FieldErrors } from '../../../db/schema/validation/messages.ts';
import type { MenuDocument } from './import-operations.ts';

/** As Excel on a Western European desk writes a table. */
const WINDOWS = new TextDecoder('windows-1252');
const UTF8 = new TextDecoder('utf-8');

/** What keeps a spreadsheet from running a cell as a formula. */
const GUARD = /^'(?=[=+\-@\t\r])/;

const columnNames = new Set(dishColumns.map(({ name }) => name));

/** Dishes of a table with a header; columns with unknown names have no meaning. */
export function readCsv(
  document: Buffer,
): { menu: MenuDocument; ignored: string[] } | { errors: FieldErrors } {
  const text = (isUtf8(document) ? UTF8 : WINDOWS).decode(document);
  let rows: string[][];
  try {
    rows = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      relax_column_count: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const place = typeof error.lines === 'number' ? `: errore alla riga ${error.lines}` : '';
    return { errors: { body: [`Il corpo della richiesta non è CSV valido${place}.`] } };
  }
  const [header = [], ...lines] = rows;
  const names = header.map((name) => name.trim());
  if (!names.some((name) => columnNames.has(name))) {
    return { errors: { body: ['La prima riga del CSV deve contenere i nomi delle colonne.'] } };
  }
  const items = lines.map((line) =>
    fromCells(new Map(names.map((name, at) => [name, (line[at] ?? '').replace(GUARD, '')]))),
  );
  return { menu: { lists: { items } }, ignored: names.filter((name) => !columnNames.has(name)) };
}

/** The separator that the header has most of. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
