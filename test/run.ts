// Runs the test files and folders that its arguments name, against one Postgres of its own.
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import pg from 'pg';
import { startEmbedded } from '../db/operator/embedded/start-embedded.ts';
import { createTemplate } from './support/database.ts';

const concurrency = 2;
/** A file that takes longer hangs. */
const fileBoundMs = 300_000;

/** The test files that a path names: the file, or all files of the folder. */
async function testFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [resolve(path)];
  const entries = await readdir(path, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.test.ts')).sort();
  return files.map((file) => resolve(path, file));
}

/** Runs the files, prints node's report and says whether every test passed. */
async function runFiles(files: string[], signal: AbortSignal): Promise<boolean> {
  let passed = true;
  const events = run({ files, concurrency, timeout: fileBoundMs, signal });
  events.on('test:fail', () => {
    passed = false;
  });
  const report = events.compose(new spec());
  report.pipe(process.stdout);
  await once(report, 'end');
  return passed && !signal.aborted;
}

/**
 * The server is thrown away: what only serves to survive a crash or a long life is off. An autovacuum
 * worker would also stand in the way of dropping the database that it is in.
 */
async function prepare(folder: string, url: string): Promise<void> {
  const owner = new URL(url);
  owner.username = 'postgres';
  owner.password = await readFile(join(folder, 'postgres.password'), 'utf8');
  owner.pathname = '/postgres';
  const client = new pg.Client({ connectionString: owner.href });
  await client.connect();
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum']) {
    await client.query(`alter system set ${setting} = off`);
  }
  await client.query('select pg_reload_conf()');
  // For those who may do less than the owner of the tables.
  await client.query(`alter role ${new URL(url).username} createrole`);
  await client.end();
}

/** Everything that needs the server; the server's folder is gone when this settles. */
async function withServer(work: (url: string) => Promise<boolean>): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-test-'));
  try {
    // The server may run as another account, which has to enter the folder.
    await chmod(folder, 0o755);
    const server = await startEmbedded({ dataDir: folder, role: 'call' });
    try {
      await prepare(folder, server.url);
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}

const files = (await Promise.all(process.argv.slice(2).map(testFiles))).flat();
if (files.length === 0) throw new Error('name test files, or folders with test files');
const passed = await withServer(async (url) => {
  await createTemplate(url);
  process.env.TEST_DATABASE_URL = url;
  return runFiles(files, interrupted.signal);
});
process.exitCode = passed ? 0 : 1;
