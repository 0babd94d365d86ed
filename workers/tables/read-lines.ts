import { fork } from 'node:child_process';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CsvError, parse } from 'csv-parse';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { AskedTable, TableFacts } from '../../db/schema/table.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { boundMemory, nextMessage } from '../bounded-process.ts';
import { decodeTable } from './decode.ts';
import type { Cell } from './numbers.ts';

const BEGINNING = Buffer.from('PK\x03\x04');

/** Whether bytes begin as a workbook of Excel does. */
function isWorkbook(bytes: Buffer): boolean {
  return bytes.subarray(0, BEGINNING.length).equals(BEGINNING);
}

type Read = { rows: Cell[][] } | { trouble: 'large' | 'long' | 'broken' };

const script = fileURLToPath(new URL('./workbook-process.js', import.meta.url));

/** The first sheet of a workbook, read in a process with bounds of memory and time. */
async function readInProcess(document: Buffer): Promise<Read> {
  const { maxWorkbookBytes, maxWorkbookFiles, workbookHeapMb, workbookTime } = constants;
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
      ...{ maxBytes: maxWorkbookBytes, maxFiles: maxWorkbookFiles },
      ...{ maxRows: constants.maxTableRows, maxCells: constants.maxWorkbookCells },
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

/** The rows of a workbook's first sheet that has any. */
async function readWorkbook(
  document: Buffer,
): Promise<{ rows: Cell[][] } | { errors: FieldErrors }> {
  const reading = last.then(() => readInProcess(document));
  last = reading.catch(() => undefined);
  const read = await reading;
  if ('rows' in read) return read;
  const rules = {
    large: broken('workbookLarge'),
    long: broken('csvLong', { rows: constants.maxTableRows }),
    broken: broken('noWorkbook'),
  };
  return { errors: { body: [rules[read.trouble]] } };
}

type Separator = NonNullable<TableFacts['separator']>;

/** A row that is not empty, and its number in a spreadsheet. */
export interface Line {
  row: number;
  cells: readonly Cell[];
}

/** The rows of a table, and how they were found. */
export interface Lines extends Pick<TableFacts, 'encoding' | 'separator'> {
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

/** Reads a table or a workbook. @param asked what the sender says of it; the rest is found */
export async function readLines(
  document: Buffer,
  asked: AskedTable,
): Promise<Lines | { errors: FieldErrors }> {
  if (isWorkbook(document)) {
    const book = await readWorkbook(document);
    if ('errors' in book) return book;
    return { lines: linesOf(book.rows), encoding: 'xlsx', separator: null };
  }
  const decoded = await inSlices(
    decodeTable(document, asked.encoding ?? null),
    constants.writeSlice,
  );
  if ('errors' in decoded) return decoded;
  const { text, encoding } = decoded;
  const own = SEPARATOR_LINE.exec(text);
  const rest = own ? text.slice(own[0].length) : text;
  const separator = (own?.[1] as Separator | undefined) ?? separatorOf(rest);
  const rows = await parseText(rest, separator);
  if ('errors' in rows) return rows;
  return { lines: linesOf(rows), encoding, separator };
}
