import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One change of one line of product code. */
export interface Mutant {
  /** Below the repository. */
  file: string;
  /** From 1. */
  line: number;
  before: string;
  after: string;
}

type Change = [pattern: RegExp, replacement: string | ((match: string) => string)];

const CHANGES: Change[] = [
  [/===/, '!=='],
  [/!==/, '==='],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ < (?=[\w(])/, ' <= '],
  [/ > (?=[\w(])/, ' >= '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \?\? /, ' && '],
  [/ \+ (?=[\w(])/, ' - '],
  [/ - (?=[\w(])/, ' + '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bMath\.min\b/, 'Math.max'],
  [/\bMath\.max\b/, 'Math.min'],
  [/(?<=\bif \()(?!.*\bin\b)[\w.]+(?=\))/, (match) => `!${match}`],
  [/(?<=\bif \()!(?=[\w.(])/, ''],
  [/(?<=[ (])\d+(?=[;,)])/, (match) => String(Number(match) + 1)],
  // A statement on a line of its own is dropped.
  [/^ +(await |void )?[\w.?]+\(.*\);$/, ''],
  [/^ +(continue|return|break);$/, ''],
  // Conditions of SQL: of a tenant, of a state.
  [/^ *and .*$/, ''],
  [/(?<=\bwhere ).*tenant_id = \$\{[^}]*\}( and)?/, 'true$1'],
  [/ and [\w.]*tenant_id = (\$\{[^}]*\}|[\w.]+)/, ''],
];

const isCode = (line: string) =>
  !/^\s*(\/\/|\/?\*|import |export type|export interface)/.test(line);

/** Every change that can be made to a file. */
export async function mutantsOf(root: string, file: string): Promise<Mutant[]> {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n');
  return lines.flatMap((before, index) => {
    if (!isCode(before)) return [];
    const changed = CHANGES.map(([pattern, replacement]) =>
      before.replace(pattern, replacement as string),
    );
    const different = [...new Set(changed)].filter((after) => after !== before);
    return different.map((after) => ({ file, line: index + 1, before, after }));
  });
}

/** The file's text with the change. */
export async function applyMutant(root: string, { file, line, after }: Mutant): Promise<string> {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n');
  lines[line - 1] = after;
  return lines.join('\n');
}
