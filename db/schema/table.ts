import * as v from 'valibot';
import { CODE_KEYS, CODE_MEANINGS, type CodeKey, SIGN_MEANINGS } from './choice-words.ts';
import { LEFT_KINDS } from './column-names.ts';
import { described } from './validation/described-as.ts';
import { oneOfRule, rule } from './validation/rule.ts';
import { ALL_LOCALES, type Locale } from './values/locale.ts';

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

/** Programs whose exports are known by their columns. */
const TABLE_SOURCES = [
  ...(['square', 'toast', 'loyverse', 'shopify', 'woocommerce', 'odoo', 'lightspeed'] as const),
] as const;
export type TableSource = (typeof TABLE_SOURCES)[number];

/** How a table was read: an answer says it, so that a person sees what was found. */
export const tableSchema = v.object({
  encoding: described(
    v.picklist([...ENCODINGS, WORKBOOK]),
    'The encoding of its bytes; `xlsx` for a workbook of Excel.',
  ),
  separator: described(
    v.nullable(v.picklist([',', ';', '\t'])),
    'The sign between its cells; null in a workbook.',
  ),
  decimal_sign: described(
    v.nullable(v.picklist(DECIMAL_SIGNS)),
    'The sign before decimals; null when no number of the table shows it.',
  ),
  locale: described(
    v.optional(v.picklist(ALL_LOCALES)),
    'The language of texts whose column names none.',
  ),
  header_row: described(v.number(), 'The row of its header, as a spreadsheet counts.'),
  columns: described(
    v.array(
      v.object({
        header: described(v.string(), 'The name of the column in the table.'),
        target: described(
          v.nullable(v.string()),
          'The field that it gives; null for a column that is ignored.',
        ),
        left: described(
          v.optional(v.nullable(v.picklist(LEFT_KINDS))),
          'Why a column that is understood is left out; null for other columns.',
        ),
        examples: described(v.optional(v.array(v.string())), 'Up to three different values of it.'),
        might_be: described(
          v.optional(v.array(v.string())),
          'What a column that is not understood might give, by its values.',
        ),
        is_asked: described(
          v.optional(v.boolean()),
          'Whether the import waits until its sender says its meaning.',
        ),
      }),
    ),
    'Its columns and their meanings.',
  ),
  signs: v.optional(
    described(
      v.array(
        v.object({
          sign: described(v.string(), 'As it stands in cells; empty for the empty cell.'),
          row: described(
            v.nullable(v.number()),
            'The first row with it; null for an allergen without a column.',
          ),
          meaning: described(
            v.nullable(v.picklist(SIGN_MEANINGS)),
            'Null while the sender has to say it.',
          ),
        }),
      ),
      'The signs in columns of one allergen each; missing without such columns.',
    ),
  ),
  codes: v.optional(
    described(
      v.array(
        v.object({
          sign: described(v.string(), 'As `allergen_signs` names it.'),
          column: described(v.string(), 'The header of its column.'),
          row: described(v.number(), 'The first row with it.'),
          dishes: described(v.array(v.string()), 'The first dishes with it.'),
          meaning: described(
            v.nullable(v.string()),
            'An allergen, `additive_` and an additive, or `ignored`; null while it is asked.',
          ),
        }),
      ),
      'Numbers and letters in lists of allergens and additives; missing without them.',
    ),
  ),
  code_keys: v.optional(
    described(
      v.array(v.picklist(CODE_KEYS)),
      'Usual keys, for `allergen_codes`, in which all of the codes have a meaning.',
    ),
  ),
  source: v.optional(
    described(
      v.nullable(v.picklist(TABLE_SOURCES)),
      'The program whose export it is, by its columns; null when it is not known.',
    ),
  ),
  sheets: v.optional(
    described(
      v.array(
        v.object({
          name: described(v.string(), 'Its name.'),
          rows: described(v.number(), 'Its rows that are not empty.'),
          is_read: described(v.boolean(), 'Whether its dishes are imported.'),
        }),
      ),
      'The sheets of a workbook that have rows; missing for other tables.',
    ),
  ),
  hidden_rows: v.optional(
    described(
      v.array(v.number()),
      'Rows that a workbook hides, the first twenty; they are not imported.',
    ),
  ),
  left_rows: v.optional(described(v.array(v.string()), 'Rows that the sender has left out.')),
  keeps_missing: v.optional(
    described(
      v.boolean(),
      'Whether nothing is deleted, because a sheet, a row or a column was not read.',
    ),
  ),
  without_price: v.optional(
    described(
      v.array(v.number()),
      'Rows of new dishes without a price, the first twenty; they are refused, or cost 0 with `without_prices`.',
    ),
  ),
  rows: described(
    v.array(
      v.object({
        row: described(v.number(), 'Its number in the spreadsheet.'),
        cells: described(v.array(v.string()), 'Its cells as they were read.'),
      }),
    ),
    'Its first twenty rows below the header.',
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
    v.picklist(
      [...SIGN_MEANINGS, ...CODE_MEANINGS],
      oneOfRule([...SIGN_MEANINGS, ...CODE_MEANINGS]),
    ),
    'object',
  ),
);

/** The facts of a table that its sender states; the others are found. */
export interface AskedTable {
  encoding?: TableEncoding | undefined;
  decimal_sign?: DecimalSign | undefined;
  /** The language of texts whose column names none; the restaurant's default where it is not said. */
  locale?: Locale | undefined;
  /** The meaning of columns by their header. */
  columns?: Readonly<Record<string, string>> | undefined;
  /**
   * The meaning of columns by their place; an empty text for a column that is ignored, null for one of
   * which nothing is said.
   */
  places?: readonly (string | null)[] | undefined;
  /**
   * The meaning of signs in columns of one allergen, of the empty one that of empty cells; and of codes
   * in lists.
   */
  signs?: Readonly<Record<string, string>> | undefined;
  /** The usual key that codes in lists follow. */
  code_key?: CodeKey | undefined;
  /** The one sheet of a workbook that is read. */
  sheet?: string | undefined;
  /** Whether rows that a workbook hides are read. */
  hidden_rows?: boolean | undefined;
  /** Whether a table without a single price is taken. */
  without_prices?: boolean | undefined;
  /** Cells that the sender has corrected, by row and the place of the column, such as `51.3`. */
  cells?: Readonly<Record<string, string>> | undefined;
  /** Rows that the sender leaves out, such as `51`, or `Vini!51` where several sheets are read. */
  left_rows?: readonly string[] | undefined;
}

/** Whether a part of a table was not read: then what it lacks may stand there. */
export function isReadInPart({
  columns,
  sheets = [],
  hidden_rows = [],
  left_rows = [],
}: TableFacts) {
  const isUnknown = ({ target, left, examples = [] }: TableFacts['columns'][number]) =>
    target === null && !left && examples.length > 0;
  return (
    columns.some(isUnknown) ||
    sheets.some((sheet) => !sheet.is_read) ||
    hidden_rows.length + left_rows.length > 0
  );
}
