import * as v from 'valibot';

/** The encodings in which spreadsheets write tables, by their names in the library. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'macintosh',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The signs that a table has before the decimals of its numbers. */
export const DECIMAL_SIGNS = [',', '.'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** How a table was read: an answer says it, so that a person sees what was found. */
export const tableSchema = v.object({
  encoding: v.pipe(v.picklist(ENCODINGS), v.description('The encoding of its bytes.')),
  separator: v.pipe(v.picklist([',', ';', '\t']), v.description('The sign between its cells.')),
  decimal_sign: v.pipe(
    v.nullable(v.picklist(DECIMAL_SIGNS)),
    v.description('The sign before decimals; null when no number of the table shows it.'),
  ),
});
export type TableFacts = v.InferOutput<typeof tableSchema>;

/** The facts of a table that its sender states; the others are found. */
export interface AskedTable {
  encoding?: Encoding | undefined;
  decimal_sign?: DecimalSign | undefined;
}
