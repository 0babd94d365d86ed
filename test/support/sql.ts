import pg from 'pg';

/** Runs one statement on a connection of its own: what an operator would do by hand. */
export async function runSql(
  url: string,
  text: string,
  values: unknown[] = [],
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in the rows.
): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
