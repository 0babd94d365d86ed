import {
  allergenNamed,
  euNumber,
  knownSign,
  plainSign,
  SIGN_MEANINGS,
  type SignMeaning,
} from '../../db/schema/choice-words.ts';
import { ALLERGEN_COLUMNS } from '../../db/schema/column-names.ts';
import { allergens } from '../../db/schema/dictionary.ts';
import { type AskedTable, MAX_SIGNS, type TableFacts } from '../../db/schema/table.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import { type Broken, broken } from '../../db/schema/validation/rule.ts';
import type { Line } from './line.ts';
import type { Cell } from './numbers.ts';

// Tables with one column an allergen. An allergen that a table does not speak of is never taken for one
// that a dish lacks: its sender says what empty cells mean.

/** A sign of a table, with the first place where it stands. */
type Sign = NonNullable<TableFacts['signs']>[number] & { header: string };

/** The columns of allergens of a table, and the meaning of their signs. */
export interface AllergenColumns {
  /** The allergen of a column by its place. */
  at: ReadonlyMap<number, string>;
  /** In the form of `plainSign`; that of the empty sign is of allergens without a column, too. */
  signs: ReadonlyMap<string, Sign>;
}

/** The sign of a cell, in the form in which signs are compared. */
function signOf(cell: Cell | undefined, key: string): string {
  const sign = plainSign(String(cell ?? ''));
  // The allergen itself, or its number: `7` in the column of milk.
  return allergenNamed(sign) === key || sign === euNumber(key) ? 'x' : sign;
}

/** A row with a name alone is a title, and says nothing of allergens. */
const isDish = ({ cells }: Line) => cells.filter((cell) => String(cell).trim() !== '').length > 1;

/** Finds the columns of allergens and the signs in them; null for a table without such columns. */
export function findAllergenColumns(
  columns: readonly { header: string; target: string }[],
  lines: readonly Line[],
  asked: AskedTable['signs'],
): AllergenColumns | null {
  const at = new Map(
    columns.flatMap(({ target }, place) => {
      const key = ALLERGEN_COLUMNS.get(target);
      return key ? [[place, key] as const] : [];
    }),
  );
  if (at.size === 0) return null;
  const stated = new Map(
    Object.entries(asked ?? {}).flatMap(([sign, to]) => {
      const meaning = SIGN_MEANINGS.find((one) => one === to);
      return meaning ? [[plainSign(sign), meaning] as const] : [];
    }),
  );
  const signs = new Map<string, Sign>();
  const note = (sign: string, row: number | null, header: string) => {
    if (signs.has(sign)) return;
    const meaning = stated.get(sign) ?? knownSign(sign) ?? null;
    signs.set(sign, { sign, row, meaning, header });
  };
  for (const line of lines.filter(isDish)) {
    for (const [place, key] of at) {
      note(signOf(line.cells[place], key), line.row, columns[place]?.header ?? '');
    }
  }
  const spoken = new Set(at.values());
  if (allergens.keys.some((key) => !spoken.has(key))) note('', null, '');
  return { at, signs };
}

/** The errors of signs whose meaning their owner has to say, the first ones of many. */
export function unclearSigns({ signs }: AllergenColumns): Broken[] {
  return [...signs.values()]
    .filter(({ meaning }) => meaning === null)
    .slice(0, MAX_SIGNS)
    .map(({ sign, row, header }) =>
      sign === '' ? broken('csvEmpty') : broken('csvSign', { row: row ?? 0, header, sign }),
    );
}

/** The signs as an answer shows them, the first ones of many; those that are asked for come first. */
export function shownSigns({ signs }: AllergenColumns): NonNullable<TableFacts['signs']> {
  return [...signs.values()]
    .sort((a, b) => Number(a.meaning !== null) - Number(b.meaning !== null))
    .slice(0, MAX_SIGNS)
    .map(({ sign, row, meaning }) => ({ sign, row, meaning }));
}

/** From the meaning that outweighs all others to the one that says least. */
const WEIGHT: readonly SignMeaning[] = ['contained', 'traces', 'unknown', 'absent'];

/** The fields of a dish that its cells in columns of allergens say. */
export function allergensOf({ at, signs }: AllergenColumns, { cells }: Line): Input {
  const meanings = new Map<string, SignMeaning>();
  for (const [place, key] of at) {
    const meaning = signs.get(signOf(cells[place], key))?.meaning ?? 'unknown';
    const before = meanings.get(key) ?? 'absent';
    meanings.set(key, WEIGHT.indexOf(meaning) < WEIGHT.indexOf(before) ? meaning : before);
  }
  const empty = signs.get('')?.meaning ?? 'unknown';
  const withMeaning = (meaning: SignMeaning) =>
    allergens.keys.filter((key) => (meanings.get(key) ?? empty) === meaning);
  const [contained, traces] = [withMeaning('contained'), withMeaning('traces')];
  if (withMeaning('unknown').length === 0) return { allergens: contained, traces };
  // Words about some allergens are no declaration, and may contradict the present one.
  return contained.length + traces.length > 0 ? { allergens: null, traces: [] } : {};
}
