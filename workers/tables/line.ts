import type { Cell } from './numbers.ts';

/** A row that is not empty, and its number in a spreadsheet. */
export interface Line {
  row: number;
  cells: readonly Cell[];
  /** Its sheet, where several are read. */
  sheet?: string;
}

/** The name of a row among those of all sheets, such as `51`, or `Vini!51` where several are read. */
export const lineKey = ({ row, sheet }: Pick<Line, 'row' | 'sheet'>) =>
  sheet === undefined ? String(row) : `${sheet}!${row}`;
