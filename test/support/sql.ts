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

// biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in the rows.
type Rows = Promise<any[]>;

/** Runs one statement on a database: a text and its values, or a template with the values in it. */
export interface RunSql {
  (text: string, values?: unknown[]): Rows;
  (parts: TemplateStringsArray, ...values: unknown[]): Rows;
}

/** Runs the statements of one database. */
export const statementsOf =
  (url: string): RunSql =>
  (text: string | TemplateStringsArray, ...values: unknown[]) =>
    typeof text === 'string'
      ? runSql(url, text, values[0] as unknown[] | undefined)
      : runSql(
          url,
          text.reduce((all, part, at) => `${all}$${at}${part}`),
          values,
        );

/**
 * Locks a table until the connection ends that it returns.
 *
 * @param table with the mode of the lock, perhaps: `dishes in share mode`
 */
export async function lockTable(url: string, table: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: url, application_name: 'test' });
  await holder.connect();
  await holder.query(`begin; lock table ${table}`);
  return holder;
}

/** Runs one statement on a connection of its own: what an operator would do by hand. */
export async function runSql(url: string, text: string, values: unknown[] = []): Rows {
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
