import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

interface Named {
  connectionParameters: { application_name?: string };
}

/** Whether a connection is one of a test itself: those have names that begin so. */
const isOwn = (client: pg.Client) =>
  (client as unknown as Named).connectionParameters.application_name?.startsWith('test');

/** The folder of a run for the statements that its processes send. */
function folderOfRun(): string {
  const { TEST_STATEMENTS: folder } = process.env;
  if (!folder) throw new Error('run this file with: node --import tsx test/run.ts <file>');
  return folder;
}

/** Notes each statement that Lavagna sends in this process, and writes them down at its end. */
export function noteStatements(): void {
  const folder = folderOfRun();
  const sent = new Set<string>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function note(this: pg.Client, ...given: unknown[]) {
    const [statement] = given as [string | { text?: string } | undefined];
    const text = typeof statement === 'string' ? statement : statement?.text;
    if (text && !isOwn(this)) sent.add(text);
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  process.on('exit', () => {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...sent]));
  });
}

/** The texts that the processes of the run have noted until now. */
export function notedStatements(): string[] {
  const folder = folderOfRun();
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return [...new Set(files.flatMap((text): string[] => JSON.parse(text)))];
}
