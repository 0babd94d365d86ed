import type { OperationResult } from '../../db/schema/bulk.ts';
import { isObject } from '../../db/schema/values/row.ts';

/** Longest text of one value, in characters. */
const MAX_VALUE = 160;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

/** The languages in which a text differs, or the value as a whole. */
function differences(name: string, before: unknown, after: unknown): string[] {
  if (!isObject(before) || !isObject(after))
    return [`${name}: ${valueText(before)} → ${valueText(after)}`];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => `${name} (${key}): ${valueText(before[key])} → ${valueText(after[key])}`);
}

type Changed = Pick<OperationResult, 'resource' | 'id' | 'changes'> & { outcome: string };

/** The change of a record in words, such as `items 7 updated; price: 11.5 → 12`. */
export function changeInWords({ resource, id, outcome, changes }: Changed): string {
  const what = [resource, id, outcome].filter((one) => one !== null).join(' ');
  const fields = Object.entries(changes).flatMap(([name, [before, after]]) =>
    differences(name, before, after),
  );
  return [what, ...fields].join('; ');
}
