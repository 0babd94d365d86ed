import type { DecimalSign } from '../../db/schema/table.ts';

/** A cell of a spreadsheet: a text of a table, or a number of a workbook. */
export type Cell = string | number;

/** Blanks of every width, and the apostrophes with which the Swiss group digits. */
const GAP = "[\\s'’]";
const GAPS = new RegExp(GAP, 'gu');
/** Digits in groups of three, or without gaps. */
const GROUPED = new RegExp(`^[+-]?([0-9.,]+|[0-9]{1,3}(${GAP}[0-9]{3})+([.,][0-9]*)?)$`, 'u');
const CODES = Intl.supportedValuesOf('currency').join('|');
/** Signs, codes and words of currencies around a number. */
const CURRENCY = new RegExp(
  `\\p{Sc}|(?<!\\p{L})(?:${CODES}|euros?|fr\\.?|kr\\.?|ft|zł|kč|лв\\.?)(?!\\p{L})`,
  'giu',
);
/** The dash that stands for no decimals, as in `12,-`. */
const NO_DECIMALS = /[.,][-–—]+$/;

/** The digits and signs of a cell that says a number or an amount of money; null for other texts. */
function bareNumber(text: string): string | null {
  const bare = text.replace(CURRENCY, '').trim().replace(NO_DECIMALS, '');
  return /[0-9]/.test(bare) && GROUPED.test(bare) ? bare.replace(GAPS, '') : null;
}

/** Whether a cell says a number or an amount of money. */
export function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || bareNumber(cell) !== null;
}

/** The sign before the decimals of a number: null for either, undefined for a whole number. */
function provenSign(bare: string): DecimalSign | null | undefined {
  const signs = bare.match(/[.,]/g) ?? [];
  const [first, last] = [signs[0], signs.at(-1)] as [DecimalSign, DecimalSign];
  if (signs.length === 0) return undefined;
  const other = first === ',' ? '.' : ',';
  if (first !== last) return last;
  // A sign that stands there twice groups digits.
  if (signs.length > 1) return other;
  return /^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(bare) ? null : last;
}

/** How the numbers of a table are written. */
interface NumberForm {
  /** Null when the table does not show it. */
  sign: DecimalSign | null;
  /** The place in the list of the first number that can be read in two ways. */
  unclear: number | null;
}

/**
 * Finds the sign before decimals from all numbers of a table. A number such as `1.250` alone is
 * unclear; so it is beside numbers of both forms.
 */
export function numberForm(cells: readonly Cell[]): NumberForm {
  const proven = new Set<DecimalSign>();
  let unclear: number | null = null;
  for (const [at, cell] of cells.entries()) {
    const bare = typeof cell === 'string' ? bareNumber(cell) : null;
    const sign = bare === null ? undefined : provenSign(bare);
    if (sign) proven.add(sign);
    if (sign === null) unclear ??= at;
  }
  const [sign = null] = proven;
  return proven.size === 1 ? { sign, unclear: null } : { sign: null, unclear };
}

/** Whether digits are grouped in threes, as `1.250.000` has them. */
function isGrouped(whole: string, group: string): boolean {
  return !whole.includes(group) || /^[+-]?[0-9]{1,3}([.,][0-9]{3})+$/.test(whole);
}

/**
 * A number as bodies of the API write it; a text that is none stays as it is, for the rules to refuse.
 *
 * @param sign of the table; a number that shows its own sign is read by that
 */
export function readNumber(cell: Cell, sign: DecimalSign | null): string {
  if (typeof cell === 'number') return String(cell);
  const bare = bareNumber(cell);
  if (bare === null) return cell;
  const decimal = provenSign(bare) ?? sign;
  if (!decimal) return /[.,]/.test(bare) ? cell : bare;
  const group = decimal === ',' ? '.' : ',';
  const [whole = '', ...rest] = bare.split(decimal);
  const isNumber = rest.length <= 1 && isGrouped(whole, group) && !rest.join('').includes(group);
  if (!isNumber) return cell;
  const digits = whole.replaceAll(group, '');
  return rest.length === 0 || rest[0] === '' ? digits : `${digits || '0'}.${rest[0]}`;
}
