import { strToU8, zipSync } from 'fflate';

type Value = string | number | null;

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** A column's letters; a workbook of tests has few. */
const letter = (at: number) => String.fromCharCode(65 + at);

/** A sheet of a workbook. An empty row is left out, as spreadsheets do. */
export interface Sheet {
  name: string;
  rows: readonly (readonly Value[])[];
  /** Numbers of rows that it hides, from 1. */
  hidden?: readonly number[];
}

/**
 * A workbook with several sheets, as spreadsheets write it.
 *
 * @param isShared texts stand in a list of their own, as Excel and Google write them, or in the cells
 * @param raw the file of the first sheet instead of one that is made
 */
export function workbookOf(sheets: readonly Sheet[], isShared = true, raw?: string): Buffer {
  const shared: string[] = [];
  const cell = (value: Value, at: number, row: number) => {
    const place = `${letter(at)}${row}`;
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
    if (!isShared) return `<c r="${place}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
    return `<c r="${place}" t="s"><v>${shared.push(value) - 1}</v></c>`;
  };
  const sheetFile = ({ rows, hidden = [] }: Sheet) => {
    const lines = rows.map((values, index) => {
      const cells = values.map((value, at) => cell(value, at, index + 1)).join('');
      const isHidden = hidden.includes(index + 1) ? ' hidden="1"' : '';
      return values.length === 0 ? '' : `<row r="${index + 1}"${isHidden}>${cells}</row>`;
    });
    return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
  };
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (list: string) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list}</Relationships>`;
  const made = sheets.map(sheetFile);
  const texts = shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  const named = sheets.map(
    ({ name }, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="s${at + 1}"/>`,
  );
  const files: Record<string, string> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      made
        .map((_, at) => relation(`s${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
        .join('') +
        relation('r2', 'styles', 'styles.xml') +
        relation('r3', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${texts.join('')}</sst>`,
    ...Object.fromEntries(
      made.map((file, at) => [`xl/worksheets/sheet${at + 1}.xml`, (at === 0 && raw) || file]),
    ),
  };
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // Some tests make millions of cells: the fastest way is small enough.
  return Buffer.from(zipSync(Object.fromEntries(bytes), { level: 1 }));
}

/** A workbook with one sheet; the other parameters are those of `workbookOf`. */
export function workbook(rows: Sheet['rows'], isShared = true, raw?: string): Buffer {
  return workbookOf([{ name: 'Menu', rows }], isShared, raw);
}
