// A process of its own: a workbook may be made to take all memory or time that there is.
import { unzipSync } from 'fflate';
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

/** A cell as a table has it: numbers stay numbers, and nothing is guessed of them. */
function cellOf(value) {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'number' ? value : String(value);
}

async function read(task) {
  const { bytes, maxRows, maxCells } = task;
  if (!fits(task)) return { trouble: 'large' };
  const cells = countCells(unzipSync(bytes));
  if (cells === null) return { trouble: 'broken' };
  if (cells > maxCells) return { trouble: 'large' };
  const sheets = await readWorkbook(new Blob([bytes]), { trim: false });
  const sheet = sheets.find(({ data }) => data.length > 0);
  const rows = sheet?.data ?? [];
  if (rows.length > maxRows) return { trouble: 'long' };
  return { rows: rows.map((row) => row.map(cellOf)) };
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
