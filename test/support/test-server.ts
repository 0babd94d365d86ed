import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '../../db/operator/embedded/start-embedded.ts';
import { createTemplate } from './database.ts';

/**
 * Starts the Postgres of a test run, with the template of all test databases. The server is thrown
 * away, so it has no protection against a crash. Autovacuum is off because its worker would stop
 * tests from dropping the database that it is in.
 */
export async function startTestServer(dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, role: 'call' });
  try {
    await prepare(dataDir, server.url);
    await createTemplate(server.url);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function prepare(dataDir: string, url: string): Promise<void> {
  const owner = new URL(url);
  owner.username = 'postgres';
  owner.password = await readFile(join(dataDir, 'postgres.password'), 'utf8');
  owner.pathname = '/postgres';
  const client = new pg.Client({ connectionString: owner.href });
  await client.connect();
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum']) {
    await client.query(`alter system set ${setting} = off`);
  }
  await client.query('select pg_reload_conf()');
  // Each of thousands of connections would otherwise derive its key in 4,096 rounds.
  await client.query('set scram_iterations = 1');
  const { username, password } = new URL(url);
  const secret = client.escapeLiteral(decodeURIComponent(password));
  // Tests create roles that may do less than the owner of the tables.
  await client.query(`alter role ${username} createrole password ${secret}`);
  await client.end();
}
