import {
  CODE_KEYS,
  CODE_MEANINGS,
  type CodeKey,
  cellWords,
  codeMeaning,
  NO_CODE,
  plainSign,
} from '../../db/schema/choice-words.ts';
import { type AskedTable, MAX_SIGNS, type TableFacts } from '../../db/schema/table.ts';
import { type Broken, broken } from '../../db/schema/validation/rule.ts';
import type { Line } from './line.ts';

// Numbers and letters in lists of allergens and additives: `A, C, G`. They mean nothing until the
// sender says what they mean: `11` is sesame in one house, and caffeine in the next one.

/** Columns with lists, and the mark of the codes of additives, which may repeat those of allergens. */
const LISTS: Readonly<Record<string, string>> = {
  allergens: '',
  traces: '',
  additives: 'additives:',
};

type Code = NonNullable<TableFacts['codes']>[number];

/** The codes of a table, by their column's mark and their sign. */
export type AllergenCodes = ReadonlyMap<string, Code>;

/** Dishes that a code is shown with. */
const SHOWN_DISHES = 5;

const codeOf = (target: string, word: string) => `${LISTS[target] ?? ''}${plainSign(word)}`;

const ADDITIVE = 'additive_';

/** Whether a code in a list may mean this: no allergen stands among additives. */
function isMeaning(target: string, meaning: string | undefined): meaning is string {
  if (meaning === undefined || !CODE_MEANINGS.includes(meaning)) return false;
  return target !== 'additives' || meaning.startsWith(ADDITIVE) || meaning === NO_CODE;
}

/**
 * Finds the codes in columns of lists.
 *
 * @param nameAt the place of the column with the dishes' names
 */
export function findCodes(
  columns: readonly { header: string; target: string }[],
  lines: readonly Line[],
  nameAt: number,
  { signs = {}, code_key: key }: AskedTable,
): AllergenCodes {
  const stated = new Map(Object.entries(signs).map(([sign, to]) => [plainSign(sign), to]));
  const codes = new Map<string, Code>();
  for (const [at, { header, target }] of columns.entries()) {
    if (!(target in LISTS)) continue;
    for (const { row, cells } of lines) {
      for (const { word, isCode } of cellWords(target, String(cells[at] ?? ''))) {
        if (!isCode) continue;
        const sign = codeOf(target, word);
        const code = codes.get(sign) ?? { sign, column: header, row, dishes: [], meaning: null };
        const meant = [stated.get(sign), key && codeMeaning(key, plainSign(word))];
        code.meaning = meant.find((one) => isMeaning(target, one)) ?? null;
        const name = String(cells[nameAt] ?? '')
          .trim()
          .slice(0, 100);
        if (code.dishes.length < SHOWN_DISHES && !code.dishes.includes(name))
          code.dishes.push(name);
        codes.set(sign, code);
      }
    }
  }
  return codes;
}

/** The errors of codes whose meaning their owner has to say, the first ones of many. */
export function unclearCodes(codes: AllergenCodes): Broken[] {
  return [...codes.values()]
    .filter(({ meaning }) => meaning === null)
    .slice(0, MAX_SIGNS)
    .map(({ sign, row, column, dishes }) =>
      broken('csvCode', { row, header: column, sign, dishes: dishes.join(', ') }),
    );
}

/** The codes as an answer shows them: those that are asked for come first. */
export function shownCodes(codes: AllergenCodes): Code[] {
  return [...codes.values()]
    .sort((a, b) => Number(a.meaning !== null) - Number(b.meaning !== null))
    .slice(0, 2 * MAX_SIGNS);
}

/** The usual keys that have a meaning for all codes that are asked for. */
export function offeredKeys(codes: AllergenCodes): CodeKey[] {
  const asked = [...codes.keys()].map((sign) => sign.replace(/^additives:/, ''));
  return asked.length === 0
    ? []
    : CODE_KEYS.filter((key) => asked.every((sign) => codeMeaning(key, sign) !== undefined));
}

/** Writes the keys that codes mean into the cells of a row, in place of the codes. */
export function decodeCells(codes: AllergenCodes, cells: Map<string, string>): void {
  if (codes.size === 0) return;
  for (const target of Object.keys(LISTS)) {
    const words = cellWords(target, cells.get(target) ?? '');
    if (!words.some(({ isCode }) => isCode)) continue;
    const keys = words.map(
      ({ word, key }) => codes.get(codeOf(target, word))?.meaning ?? key ?? word,
    );
    const others = target === 'additives' ? '' : (cells.get('additives') ?? '');
    const additives = keys.filter((key) => key.startsWith(ADDITIVE));
    const rest = keys.filter((key) => key !== NO_CODE && !key.startsWith(ADDITIVE));
    // Codes of additives alone say nothing of allergens.
    if (rest.length > 0) cells.set(target, rest.join(', '));
    else cells.delete(target);
    if (additives.length > 0) {
      const named = additives.map((key) => key.slice(ADDITIVE.length));
      cells.set(
        'additives',
        [others, ...rest.filter(() => target === 'additives'), ...named].filter(Boolean).join(', '),
      );
    }
  }
}
