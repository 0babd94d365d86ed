import { unguardCell } from '../../db/schema/dish-table.ts';
import type { DecimalSign } from '../../db/schema/table.ts';
import { isFrom, isOnRequest, isWhole, MAX_SAID, unitOf, withoutCurrency } from './amount-words.ts';

/** A cell of a spreadsheet: a text of a table, or a number of a workbook. */
export type Cell = string | number;

/** A cell without the guard and the blanks of a spreadsheet; a name has one line. */
export function bareCell(cell: Cell | undefined): Cell {
  return typeof cell === 'number' ? cell : unguardCell(cell ?? '').trim();
}

/** Blanks of every width, and the apostrophes with which the Swiss group digits. */
const GAP = "[\\s'’]";
const GAPS = new RegExp(GAP, 'gu');
/** Digits in groups of three, or without gaps. */
const GROUPED = new RegExp(`^[+-]?([0-9.,]+|[0-9]{1,3}(${GAP}[0-9]{3})+([.,][0-9]*)?)$`, 'u');
/** The dash that stands for no decimals, as in `12,-` and `125:-`. */
const NO_DECIMALS = /\s?[.,:]\s?[-–—]+(?=\s|$)/;
/** A number with what stands before and behind it. */
const PARTS = new RegExp(
  `^(?<head>[^0-9+-]*)(?<number>[+-]?\\.?[0-9](?:[0-9.,]|${GAP}(?=[0-9]))*)(?<tail>.*)$`,
  'su',
);
/** Between the prices of two sizes. */
const OR = /^\s*(?:[/|;–-]|\/\/)\s*/;

/** The first digits of scripts whose ten digits follow each other. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
].concat([0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810]);

/** A text with the digits of Europe, whatever its script, and without marks of direction. */
function latinDigits(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replaceAll('−', '-');
  return plain
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = ZEROS.find((one) => code >= one && code < one + 10);
      return zero === undefined ? digit : String(code - zero);
    })
    .replaceAll('٫', '.')
    .replaceAll('٬', "'");
}

/** The digits and signs of a number, and whether the three behind its sign are thousands. */
interface Bare {
  digits: string;
  isWhole: boolean;
}

/** The words and numbers in the cell of a price. */
type Said =
  | { kind: 'number'; bare: Bare; unit?: string }
  | { kind: 'from'; bare: Bare }
  | { kind: 'several'; bares: readonly Bare[] }
  | { kind: 'on_request' }
  | { kind: 'other' };

function bareOf(number: string, currency: string): Bare | null {
  const text = number.trim();
  if (!/[0-9]/.test(text) || !GROUPED.test(text)) return null;
  return { digits: text.replace(GAPS, ''), isWhole: isWhole(currency) };
}

/** Reads the words and the numbers of a cell, without a decision on the sign before decimals. */
function say(text: string): Said {
  if (text.length > MAX_SAID) return { kind: 'other' };
  const plain = latinDigits(text).trim();
  if (isOnRequest(plain)) return { kind: 'on_request' };
  const { rest, currency } = withoutCurrency(plain);
  const {
    head: before = '',
    number = '',
    tail = '',
  } = PARTS.exec(rest.replace(NO_DECIMALS, ''))?.groups ?? {};
  const bare = bareOf(number, currency);
  if (!bare) return { kind: 'other' };
  const behind = tail.trim();
  const head = before.trim();
  if (head === '' && behind === '') return { kind: 'number', bare };
  const other = head === '' && OR.test(behind) ? bareOf(behind.replace(OR, ''), currency) : null;
  if (other) return { kind: 'several', bares: [bare, other] };
  if ((isFrom(head) && behind === '') || (head === '' && isFrom(behind))) {
    return { kind: 'from', bare };
  }
  const unit = head === '' ? unitOf(behind) : behind === '' ? unitOf(head) : undefined;
  return unit ? { kind: 'number', bare, unit } : { kind: 'other' };
}

/** Whether a cell says a number or an amount of money. */
export function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || say(cell).kind === 'number';
}

/** Whether a cell says a price in some way, with words too. */
export const isPriceCell = (cell: Cell) => typeof cell === 'number' || say(cell).kind !== 'other';

/** The sign before the decimals of a number: null for either, undefined for a whole number. */
function provenSign({ digits, isWhole: noDecimals }: Bare): DecimalSign | null | undefined {
  const signs = digits.match(/[.,]/g) ?? [];
  const [first, last] = [signs[0], signs.at(-1)] as [DecimalSign, DecimalSign];
  if (signs.length === 0) return undefined;
  const other = first === ',' ? '.' : ',';
  if (first !== last) return last;
  // A sign that stands there twice groups digits.
  if (signs.length > 1) return other;
  if (!/^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(digits)) return last;
  return noDecimals ? other : null;
}

/**
 * Finds the sign before decimals from all numbers of a table, or null. A number such as `1.250` alone
 * is unclear; so it is beside numbers of both forms. `unclear` is the place of the first such number.
 */
export function numberForm(cells: readonly Cell[]) {
  const proven = new Set<DecimalSign>();
  let unclear: number | null = null;
  for (const [at, cell] of cells.entries()) {
    const said = typeof cell === 'string' ? say(cell) : null;
    const bare = said && 'bare' in said ? said.bare : null;
    const sign = bare === null ? undefined : provenSign(bare);
    if (sign && !bare?.isWhole) proven.add(sign);
    if (sign === null) unclear ??= at;
  }
  const [sign = null] = proven;
  return proven.size === 1 ? { sign, unclear: null } : { sign: null, unclear };
}

/** Whether digits are grouped in threes, as `1.250.000` has them. */
function isGrouped(whole: string, group: string): boolean {
  return !whole.includes(group) || /^[+-]?[0-9]{1,3}([.,][0-9]{3})+$/.test(whole);
}

/** A number as bodies of the API write it; null for one that does not fit the sign. */
function decimalOf(bare: Bare, sign: DecimalSign | null): string | null {
  const { digits } = bare;
  const decimal = provenSign(bare) ?? sign;
  if (!decimal) return /[.,]/.test(digits) ? null : digits;
  const group = decimal === ',' ? '.' : ',';
  const [whole = '', ...rest] = digits.split(decimal);
  const isNumber = rest.length <= 1 && isGrouped(whole, group) && !rest.join('').includes(group);
  if (!isNumber) return null;
  const start = whole.replaceAll(group, '');
  return rest.length === 0 || rest[0] === '' ? start : `${start || '0'}.${rest[0]}`;
}

/** The price in a cell; `text` is a number of the API, or the cell where it is none. */
interface Amount {
  kind: Said['kind'] | 'empty';
  text: string;
  unit?: string | undefined;
}

/**
 * Reads the cell of a price; a text that is none stays as it is, for the rules to refuse.
 *
 * @param sign of the table; a number that shows its own sign is read by that
 */
export function readAmount(cell: Cell, sign: DecimalSign | null): Amount {
  if (typeof cell === 'number') return { kind: 'number', text: String(cell) };
  if (cell === '') return { kind: 'empty', text: '' };
  const said = say(cell);
  if (said.kind !== 'number') return { kind: said.kind, text: cell };
  const text = decimalOf(said.bare, sign);
  return text === null ? { kind: 'other', text: cell } : { kind: 'number', text, unit: said.unit };
}

/** The whole number of a cell in which each sign groups digits, such as `1,050`; else the cell. */
export function readWhole(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const digits = latinDigits(cell).trim().replace(GAPS, '');
  return /^[0-9]{1,3}([.,][0-9]{3})+$/.test(digits) ? digits.replace(/[.,]/g, '') : digits;
}
