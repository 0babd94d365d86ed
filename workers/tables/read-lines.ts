import { fork } from 'node:child_process';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CsvError, parse } from 'csv-parse';
import { boundMemory, nextMessage } from '../../db/runtime/bounded-process.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { AskedTable, TableFacts } from '../../db/schema/table.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import type { Locale } from '../../db/schema/values/locale.ts';
import { decodeTable } from './decode.ts';
import type { Line } from './line.ts';
import type { Cell } from './numbers.ts';
import { joinSheets } from './sheets.ts';

/** A workbook’s files: their bytes when unpacked, their number, and the cells of all sheets. */
const MAX_WORKBOOK_BYTES = 64 * 1_048_576;
const MAX_WORKBOOK_FILES = 1_000;
const MAX_WORKBOOK_CELLS = 2_000_000;

const BEGINNING = Buffer.from('PK\x03\x04');

/** Whether bytes begin as a workbook of Excel does. */
function isWorkbook(bytes: Buffer): boolean {
  return bytes.subarray(0, BEGINNING.length).equals(BEGINNING);
}

/** A sheet as the process reads it. */
interface ReadSheet {
  name: string;
  isHidden: boolean;
  /** The numbers of its hidden rows. */
  hidden: number[];
  rows: Cell[][];
}
type Read = { sheets: ReadSheet[] } | { trouble: 'large' | 'long' | 'broken' };

const script = fileURLToPath(new URL('./workbook-process.js', import.meta.url));

/** The sheets of a workbook, read in a process with bounds of memory and time. */
async function readInProcess(document: Buffer): Promise<Read> {
  const { workbookHeapMb, workbookTime } = constants;
  const child = fork(script, [], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${workbookHeapMb}`],
    // A process without memory says so at length.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    await nextMessage(child, workbookTime);
    await boundMemory(child, constants.workbookMemoryMb, constants.workbookCpuSeconds);
    child.send({
      bytes: new Uint8Array(document),
      ...{ maxBytes: MAX_WORKBOOK_BYTES, maxFiles: MAX_WORKBOOK_FILES },
      ...{ maxRows: constants.maxTableRows, maxCells: MAX_WORKBOOK_CELLS },
    });
    // It ends when it has used all memory or time that it may use.
    const read = nextMessage(child, workbookTime).catch(() => ({ trouble: 'large' }));
    return (await read) as Read;
  } finally {
    child.kill('SIGKILL');
  }
}

/** One workbook at a time is read in a process, so that their memory does not add up. */
let last: Promise<unknown> = Promise.resolve();

/** The sheets of a workbook. */
async function readWorkbook(document: Buffer) {
  const reading = last.then(() => readInProcess(document));
  last = reading.catch(() => undefined);
  const read = await reading;
  if ('sheets' in read) return read;
  const rules = {
    large: broken('workbookLarge'),
    long: broken('csvLong', { rows: constants.maxTableRows }),
    broken: broken('noWorkbook'),
  };
  return { errors: { body: [rules[read.trouble]] } };
}

type Separator = NonNullable<TableFacts['separator']>;

/** The rows of a table, and how they were found. */
export interface Lines
  extends Pick<TableFacts, 'encoding' | 'separator' | 'sheets' | 'hidden_rows'> {
  lines: readonly Line[];
}

/** Characters of a table that are read in one turn of the event loop. */
const STEP = 65_536;

/** Bytes, because the stream would read the empty text as its end. */
async function* inPieces(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += STEP) {
    yield bytes.subarray(at, at + STEP);
    await nextTurn();
  }
}

/** Excel's own first line, which no spreadsheet shows. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?(\r\n?|\n|$)/i;

/** The separator that the header has most of. */
function separatorOf(text: string): Separator {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (separator: string) => header.split(separator).length;
  const separators: readonly Separator[] = [',', ';', '\t'];
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** The rows of a text, the first of them the header. */
async function parseText(
  text: string,
  separator: Separator,
): Promise<readonly string[][] | { errors: FieldErrors }> {
  const { maxTableRows, maxTableRowSize } = constants;
  const parser = parse({
    delimiter: separator,
    relax_column_count: true,
    max_record_size: maxTableRowSize,
  });
  try {
    const rows: string[][] = [];
    const pieces = Readable.from(inPieces(text), { objectMode: false });
    // The loop throws what goes wrong.
    for await (const row of pipeline(pieces, parser, () => undefined)) {
      rows.push(row);
      if (rows.length > maxTableRows) {
        return { errors: { body: [broken('csvLong', { rows: maxTableRows })] } };
      }
    }
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: line } = error;
    const trouble = typeof line === 'number' ? broken('csvBroken', { line }) : broken('noCsv');
    return { errors: { body: [trouble] } };
  }
}

const isEmpty = (cell: Cell) => typeof cell === 'string' && cell.trim() === '';

/** The rows that are not empty. */
function linesOf(rows: readonly (readonly Cell[])[]): Line[] {
  const lines = rows.map((cells, index) => ({ row: index + 1, cells }));
  return lines.filter(({ cells }) => !cells.every(isEmpty));
}

/** Hidden rows that an answer names. */
const SHOWN_ROWS = 20;

/** The lines of a workbook; rows that it hides are left out and named, unless they are asked for. */
function readSheets(
  book: readonly ReadSheet[],
  asked: AskedTable,
  locale: Locale,
): Lines | { errors: FieldErrors } {
  if (asked.sheet !== undefined && !book.some(({ name }) => name === asked.sheet)) {
    return { errors: { sheet: [broken('invalid')] } };
  }
  const all = book.map(({ rows, hidden, ...sheet }) => ({
    ...sheet,
    hidden: new Set(asked.hidden_rows ? [] : hidden),
    lines: linesOf(rows),
  }));
  const shown = all.map(({ lines, hidden, ...sheet }) => ({
    ...sheet,
    lines: lines.filter(({ row }) => !hidden.has(row)),
  }));
  const { lines, sheets } = joinSheets(shown, locale, asked.sheet);
  const read = new Set(sheets.flatMap(({ name, is_read }) => (is_read ? [name] : [])));
  const hiddenRows = all
    .filter(({ name }) => read.has(name))
    .flatMap((sheet) => sheet.lines.map(({ row }) => row).filter((row) => sheet.hidden.has(row)));
  return {
    ...{ lines, encoding: 'xlsx', separator: null },
    ...(sheets.length > 1 && { sheets }),
    ...(hiddenRows.length > 0 && { hidden_rows: hiddenRows.slice(0, SHOWN_ROWS) }),
  };
}

/**
 * Reads a table or a workbook.
 *
 * @param asked what the sender says of it; the rest is found
 * @param locale of texts whose language no header names
 */
export async function readLines(
  document: Buffer,
  asked: AskedTable,
  locale: Locale,
): Promise<Lines | { errors: FieldErrors }> {
  if (isWorkbook(document)) {
    const book = await readWorkbook(document);
    return 'errors' in book ? book : readSheets(book.sheets, asked, locale);
  }
  const decoded = await inSlices(decodeTable(document, asked.encoding ?? null));
  if ('errors' in decoded) return decoded;
  const { text, encoding } = decoded;
  const own = SEPARATOR_LINE.exec(text);
  const rest = own ? text.slice(own[0].length) : text;
  const separator = (own?.[1] as Separator | undefined) ?? separatorOf(rest);
  const rows = await parseText(rest, separator);
  if ('errors' in rows) return rows;
  return { lines: linesOf(rows), encoding, separator };
}
