import { variables } from '../../runtime/config.ts';
import { type Check, doubtful, good } from './check.ts';

const NAMES = Object.keys(variables.entries);
/** Names of so many letters may have two wrong ones; in shorter ones that would be another word. */
const LONG_NAME = 8;
/** Longer names are no slip of the pen; it bounds the work, too. */
const LONGEST_NAME = Math.max(...NAMES.map((name) => name.length)) + 2;

/** The letters to add, leave out, change or swap with the next one, so that `a` becomes `b`. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (up: number, left: number) => rows[i - up]?.[j - left] ?? 0;
      const changed = at(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(2, 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swapped, at(1, 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/** The variable of Lavagna that a name is nearly; undefined for other programs' names. */
function nearest(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const bound = name.length >= LONG_NAME ? 2 : 1;
  return NAMES.find((known) => distance(name.toUpperCase(), known) <= bound);
}

/** Names of variables that look like ours and are not: Lavagna passes over them without a word. */
export function checkVariables(env: NodeJS.ProcessEnv): Check {
  const name = 'configuration';
  const given = Object.keys(env).filter((key) => env[key] && !NAMES.includes(key));
  const slips = given.flatMap((key) => {
    const meant = nearest(key);
    return meant === undefined ? [] : [{ key, meant }];
  });
  if (slips.length === 0) return good(name, 'Every variable has a value that is allowed.');
  const found = slips.map(({ key }) => key).join(', ');
  const meant = slips.map((slip) => slip.meant).join(', ');
  return doubtful(name, `Lavagna does not know ${found}.`, `Is ${meant} meant?`);
}
