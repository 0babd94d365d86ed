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

/**
 * A workbook with one sheet, as spreadsheets write it. An empty row is left out, as they do.
 *
 * @param isShared texts stand in a list of their own, as Excel and Google write them, or in the cells
 */
export function workbook(rows: readonly (readonly Value[])[], isShared = true, sheet?: string) {
  const shared: string[] = [];
  const cell = (value: Value, at: number, row: number) => {
    const place = `${letter(at)}${row}`;
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
    if (!isShared) return `<c r="${place}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
    return `<c r="${place}" t="s"><v>${shared.push(value) - 1}</v></c>`;
  };
  const lines = rows.map((values, index) =>
    values.length === 0
      ? ''
      : `<row r="${index + 1}">${values.map((value, at) => cell(value, at, index + 1)).join('')}</row>`,
  );
  const own = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (list: string) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list}</Relationships>`;
  const texts = shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  const files: Record<string, string> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Menu" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('r1', 'worksheet', 'worksheets/sheet1.xml') +
        relation('r2', 'styles', 'styles.xml') +
        relation('r3', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${texts.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': sheet ?? own,
  };
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // Some tests make millions of cells: the fastest way is small enough.
  return Buffer.from(zipSync(Object.fromEntries(bytes), { level: 1 }));
}
