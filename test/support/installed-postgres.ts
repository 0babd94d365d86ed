import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../bench/processes/free-port.ts';
import { createPgClient } from '../../db/postgres/pg-client.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { createOwnDatabase } from '../../db/sql/server.ts';
import { until } from './until.ts';

const PASSWORD = 'of-a-server-that-is-thrown-away';
const NAME = 'lavagna';

/** A server of other programs than those of the embedded one. */
export interface InstalledServer extends Running {
  /** The database `lavagna`, by the role that owns it. */
  url: string;
  /** The database `postgres`, by the superuser. */
  superuserUrl: string;
}

/** Postgres refuses to run as root: there the account runs it that came with its package. */
function chooseAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

async function answers(url: string): Promise<boolean> {
  const { client, close } = createPgClient(url, {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await close();
  }
}

/**
 * Makes a cluster in a folder with the programs of an installed Postgres, and starts its server with
 * the settings that it has by default.
 *
 * @param programs the folder of `initdb` and `postgres`, such as `/usr/lib/postgresql/15/bin`
 */
export async function startInstalledPostgres(
  programs: string,
  folder: string,
): Promise<InstalledServer> {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const account = chooseAccount();
  await mkdir(data);
  await writeFile(passwordFile, PASSWORD);
  if (account) await chown(data, account.uid, account.gid);
  const options = { ...account, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' } };
  execFileSync(
    join(programs, 'initdb'),
    [
      ...[`--pgdata=${data}`, '--username=postgres', `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'],
    ],
    options,
  );
  const port = await freePort();
  const log = await open(join(folder, 'log'), 'w');
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  settings.push('max_connections=400');
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', log.fd, log.fd] },
  );
  await log.close();
  const at = `127.0.0.1:${port}`;
  const superuserUrl = `postgres://postgres:${PASSWORD}@${at}/postgres`;
  await until('Postgres does not answer', () => answers(superuserUrl));
  const { client, db, close } = createPgClient(superuserUrl, {});
  await client.connect();
  await createOwnDatabase(db, NAME, PASSWORD);
  await close();
  const stop = async () => {
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  };
  return { url: `postgres://${NAME}:${PASSWORD}@${at}/${NAME}`, superuserUrl, ...stopOnce(stop) };
}
