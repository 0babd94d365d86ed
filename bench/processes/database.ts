import pg from 'pg';

/** A connection, which `await using` ends. */
export type Database = pg.Client & AsyncDisposable;

export async function connect(connectionString: string): Promise<Database> {
  const db = new pg.Client({ connectionString });
  await db.connect();
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.end() });
}
