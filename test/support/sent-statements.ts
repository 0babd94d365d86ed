import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Notes the text of each statement that this process sends; at its end the folder has them. */
export function noteStatements(folder: string): void {
  const sent = new Set<string>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function note(this: pg.Client, ...given: unknown[]) {
    const [statement] = given as [string | { text?: string } | undefined];
    const text = typeof statement === 'string' ? statement : statement?.text;
    if (text) sent.add(text);
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  process.on('exit', () => {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...sent]));
  });
}

/** The texts of all processes that noted them in a folder. */
export function notedStatements(folder: string): string[] {
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return [...new Set(files.flatMap((text): string[] => JSON.parse(text)))];
}
