// A process of its own: a workbook may be made to take all memory or time that there is.
import { strFromU8, unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/universal';
import { countCells } from './workbook-size.js';

/** Whether the files of a workbook take no more room than allowed; nothing is unpacked for it. */
function fits({ bytes, maxBytes, maxFiles }) {
  const found = { bytes: 0, files: 0 };
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      found.bytes += originalSize;
      found.files += 1;
      return false;
    },
  });
  return found.bytes <= maxBytes && found.files <= maxFiles;
}

/** Spreadsheets count days and times from there; a time alone has such a day. */
const FIRST_YEAR = 1901;

/** The digits that a spreadsheet has of a number: others are noise of its arithmetic. */
const DIGITS = 15;

/** A cell as a table has it: numbers stay numbers, and nothing is guessed of them. */
function cellOf(value) {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    const text = value.toISOString();
    return value.getUTCFullYear() < FIRST_YEAR ? text.slice(11, 16) : text.slice(0, 10);
  }
  return typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : String(value);
}

const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
const tagsOf = (xml, name) => xml.match(new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>`, 'g')) ?? [];
const isTrue = (value) => value === '1' || value === 'true';

/** A cell with a formula and no result. */
const UNSOLVED_CELL = /<c\b([^>]*)>\s*<f\b(?:[^>]*\/>|[^>]*>[^<]*<\/f>)\s*(?:<v\s*\/>\s*)?<\/c>/g;

/** The facts of a sheet that the library does not tell: hidden rows, and formulas without a result. */
function factsOf(xml) {
  let row = 0;
  const hidden = [];
  for (const tag of tagsOf(xml, 'row')) {
    row = Number(attribute(tag, 'r') ?? row + 1);
    if (isTrue(attribute(tag, 'hidden'))) hidden.push(row);
  }
  const formulas = xml.matchAll(UNSOLVED_CELL);
  const unsolved = [];
  for (const [, attributes] of formulas) {
    const [, letters, number] = /\br="([A-Z]{1,3})(\d+)"/.exec(attributes) ?? [];
    if (!letters) continue;
    const column = [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
    unsolved.push([Number(number), column]);
  }
  return { hidden, unsolved };
}

/** The facts of each sheet in the order of the workbook, and whether it is hidden as a whole. */
function sheetFacts(bytes) {
  const files = unzipSync(bytes, {
    filter: ({ name }) =>
      /^xl\/(workbook\.xml$|_rels\/workbook\.xml\.rels$|worksheets\/)/.test(name),
  });
  const textOf = (name) => (files[name] ? strFromU8(files[name]) : '');
  const targets = new Map(
    tagsOf(textOf('xl/_rels/workbook.xml.rels'), 'Relationship').map((tag) => {
      const path = attribute(tag, 'Target') ?? '';
      return [attribute(tag, 'Id'), path.startsWith('/') ? path.slice(1) : `xl/${path}`];
    }),
  );
  return tagsOf(textOf('xl/workbook.xml'), 'sheet').map((tag) => ({
    isHidden: /^(very)?hidden$/i.test(attribute(tag, 'state') ?? ''),
    ...factsOf(textOf(targets.get(attribute(tag, '(?:\\w+:)?id')) ?? '')),
  }));
}

/** How a formula shows that its program has stored no result. */
const UNSOLVED = '#CALC!';

async function read(task) {
  const { bytes, maxRows, maxCells } = task;
  if (!fits(task)) return { trouble: 'large' };
  const cells = countCells(unzipSync(bytes));
  if (cells === null) return { trouble: 'broken' };
  if (cells > maxCells) return { trouble: 'large' };
  const sheets = await readWorkbook(new Blob([bytes]), { trim: false });
  const facts = sheetFacts(bytes);
  let rows = 0;
  const found = sheets.map(({ sheet, data }, at) => {
    const { isHidden = false, hidden = [], unsolved = [] } = facts[at] ?? {};
    rows += data.length;
    for (const [row, column] of unsolved) {
      if (data[row - 1] && column <= data[row - 1].length) data[row - 1][column - 1] ??= UNSOLVED;
    }
    return { name: sheet, isHidden, hidden, rows: data };
  });
  if (rows > maxRows) return { trouble: 'long' };
  return { sheets: found.map((one) => ({ ...one, rows: one.rows.map((row) => row.map(cellOf)) })) };
}

process.on('message', (task) => {
  read(task).then(
    (result) => process.send?.(result),
    // Whatever the library finds wrong, the file is no workbook that can be read.
    () => process.send?.({ trouble: 'broken' }),
  );
});
process.send?.('ready');
// Its worker has ended.
process.on('disconnect', () => process.exit());
