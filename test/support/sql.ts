import pg from 'pg';

/** The connections of `runSql` to databases of tests, by their addresses. */
const pools = new Map<string, pg.Pool>();
/** Tests let some statements wait for others. */
const MOST = 100;

/** Lets `runSql` keep its connections to a database: to make one costs more than ten statements. */
export function keepConnections(url: string): void {
  const pool = new pg.Pool({
    ...{ connectionString: url, application_name: 'test', max: MOST, idleTimeoutMillis: 0 },
  });
  // One that a test ends is replaced.
  pool.on('error', () => undefined);
  pools.set(url, pool);
}

/** Closes those that `keepConnections` has kept. */
export async function closeConnections(url: string): Promise<void> {
  const pool = pools.get(url);
  pools.delete(url);
  await pool?.end();
}

/** Runs one statement on a database. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in the rows.
export type RunSql = (text: string, values?: unknown[]) => Promise<any[]>;

/** Runs one statement on a connection of its own: what an operator would do by hand. */
export async function runSql(
  url: string,
  ...[text, values = []]: Parameters<RunSql>
): ReturnType<RunSql> {
  const pool = pools.get(url);
  if (pool) return (await pool.query(text, values)).rows;
  const client = new pg.Client({ connectionString: url, application_name: 'test' });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
