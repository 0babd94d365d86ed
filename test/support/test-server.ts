import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../db/operator/database/start-embedded.ts';
import { stopOnce } from '../../db/runtime/running.ts';
import { createTemplate } from './database.ts';
import { type InstalledServer, startInstalledPostgres } from './installed-postgres.ts';

/**
 * Starts the Postgres of a test run, with the template of all test databases: the embedded one, or that
 * whose programs are in the folder `TEST_POSTGRES`. The server is thrown away, so it has no protection
 * against a crash. Autovacuum is off because its worker would stop tests from dropping the database
 * that it is in.
 */
export async function startTestServer(dataDir: string): Promise<InstalledServer> {
  const programs = process.env.TEST_POSTGRES;
  const server = programs
    ? await startInstalledPostgres(programs, dataDir)
    : await startOwn(dataDir);
  try {
    await prepare(server);
    await createTemplate(server.url);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The embedded server. */
async function startOwn(dataDir: string): Promise<InstalledServer> {
  const { url, stop } = await startEmbedded({ dataDir, role: 'call' });
  const superuser = new URL(url);
  superuser.username = 'postgres';
  superuser.password = await readFile(join(dataDir, 'postgres.password'), 'utf8');
  superuser.pathname = '/postgres';
  return { url, superuserUrl: superuser.href, ...stopOnce(stop) };
}

async function prepare({ url, superuserUrl }: InstalledServer): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum']) {
    await client.query(`alter system set ${setting} = off`);
  }
  // Each of thousands of connections would otherwise prove that it knows the password without sending
  // it, which takes a core for some milliseconds.
  const { rows } = await client.query<{ path: string }>(`select setting as path from pg_settings
    where name = 'hba_file'`);
  await writeFile(rows[0]?.path ?? '', 'host all all 127.0.0.1/32 password\n');
  await client.query('select pg_reload_conf()');
  // Postgres derives the key in 4,096 rounds otherwise. It has the setting since 16.
  await client.query(`select set_config(name, '1', false) from pg_settings
    where name = 'scram_iterations'`);
  const { username, password } = new URL(url);
  const secret = client.escapeLiteral(decodeURIComponent(password));
  // Tests create roles that may do less than the owner of the tables.
  await client.query(`alter role ${username} createrole password ${secret}`);
  await client.end();
}
