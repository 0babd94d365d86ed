import * as v from 'valibot';
import { SIGN_MEANINGS, type SignMeaning } from './choice-words.ts';
import { oneOfRule, rule } from './validation/rule.ts';

/** The encodings in which spreadsheets write tables, by their names in the library. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'macintosh',
] as const;
export type TableEncoding = (typeof ENCODINGS)[number];
/** A workbook of Excel has numbers as they are. */
const WORKBOOK = 'xlsx';

/** The signs that a table has before the decimals of its numbers. */
export const DECIMAL_SIGNS = [',', '.'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** How a table was read: an answer says it, so that a person sees what was found. */
export const tableSchema = v.object({
  encoding: v.pipe(
    v.picklist([...ENCODINGS, WORKBOOK]),
    v.description('The encoding of its bytes; `xlsx` for a workbook of Excel.'),
  ),
  separator: v.pipe(
    v.nullable(v.picklist([',', ';', '\t'])),
    v.description('The sign between its cells; null in a workbook.'),
  ),
  decimal_sign: v.pipe(
    v.nullable(v.picklist(DECIMAL_SIGNS)),
    v.description('The sign before decimals; null when no number of the table shows it.'),
  ),
  header_row: v.pipe(v.number(), v.description('The row of its header, as a spreadsheet counts.')),
  columns: v.pipe(
    v.array(
      v.object({
        header: v.pipe(v.string(), v.description('The name of the column in the table.')),
        target: v.pipe(
          v.nullable(v.string()),
          v.description('The field that it gives; null for a column that is ignored.'),
        ),
      }),
    ),
    v.description('Its columns and their meanings.'),
  ),
  signs: v.optional(
    v.pipe(
      v.array(
        v.object({
          sign: v.pipe(
            v.string(),
            v.description('As it stands in cells; empty for the empty cell.'),
          ),
          row: v.pipe(
            v.nullable(v.number()),
            v.description('The first row with it; null for an allergen without a column.'),
          ),
          meaning: v.pipe(
            v.nullable(v.picklist(SIGN_MEANINGS)),
            v.description('Null while the sender has to say it.'),
          ),
        }),
      ),
      v.description('The signs in columns of one allergen each; missing without such columns.'),
    ),
  ),
  rows: v.pipe(
    v.array(
      v.object({
        row: v.pipe(v.number(), v.description('Its number in the spreadsheet.')),
        cells: v.pipe(v.array(v.string()), v.description('Its cells as they were read.')),
      }),
    ),
    v.description('Its first twenty rows below the header.'),
  ),
});
export type TableFacts = v.InferOutput<typeof tableSchema>;

/** The most columns of a table that have a meaning, and the most characters of a header. */
export const MAX_COLUMNS = 200;
const MAX_HEADER = 200;

/** An object of JSON; null for any other text. */
function parseObject(text: string): unknown {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? null : value;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The meaning of columns as JSON: an object of headers with the columns of an export. */
export const columnsSchema = v.pipe(
  v.string(),
  v.maxLength(16_384, rule('maxLength', { max: 16_384 })),
  v.transform(parseObject),
  v.record(
    v.pipe(v.string('string'), v.maxLength(MAX_HEADER, rule('maxLength', { max: MAX_HEADER }))),
    v.string('string'),
    'object',
  ),
  v.check(
    (columns) => Object.keys(columns).length <= MAX_COLUMNS,
    rule('maxItems', { max: MAX_COLUMNS }),
  ),
);

/** The most signs in columns of allergens whose meaning a sender is asked for. */
export const MAX_SIGNS = 24;

/** The meaning of signs in columns of allergens as JSON: an object of signs with their meanings. */
export const signsSchema = v.pipe(
  v.string(),
  v.maxLength(2_048, rule('maxLength', { max: 2_048 })),
  v.transform(parseObject),
  v.record(
    v.pipe(v.string('string'), v.maxLength(MAX_HEADER, rule('maxLength', { max: MAX_HEADER }))),
    v.picklist(SIGN_MEANINGS, oneOfRule(SIGN_MEANINGS)),
    'object',
  ),
);

/** The facts of a table that its sender states; the others are found. */
export interface AskedTable {
  encoding?: TableEncoding | undefined;
  decimal_sign?: DecimalSign | undefined;
  /** The meaning of columns by their header. */
  columns?: Readonly<Record<string, string>> | undefined;
  /** The meaning of columns by their place; an empty text for a column that is ignored. */
  places?: readonly string[] | undefined;
  /** The meaning of signs in columns of allergens; of the empty one that of empty cells. */
  signs?: Readonly<Record<string, SignMeaning>> | undefined;
}
