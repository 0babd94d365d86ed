import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type Account, type AsAccount, chooseAccount, commandsOf } from './account.ts';
import { type Binaries, findBinaries, postgresMajor } from './binaries.ts';
import { ignoreMissing } from './lock.ts';

/** A data directory that is ready to be served, and how to run programs on it. */
export type Cluster = {
  binaries: Binaries;
  directory: string;
  password: string;
  account: Account;
  asAccount: AsAccount;
};

/** The server's superuser; the program's own role may do less. */
export const superuser = 'postgres';

/** Whether `dataDir` has a data directory, which may be another account's. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres'));
}

/**
 * Opens the data directory `<dataDir>/postgres`, and creates it when there is none. A new one is
 * made beside its place and renamed, so an interrupted creation leaves nothing half-done.
 *
 * @throws {OperatorError} when it is of another major version or cannot be read.
 */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const directory = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres.password');
  const binaries = await findBinaries();
  const account = await chooseAccount(directory);
  const version = await readOwn(join(directory, 'PG_VERSION'));
  if (version !== undefined) {
    assertVersion(version.trim(), directory);
    const asAccount = commandsOf(account, binaries, directory);
    const password = await readOwn(passwordFile);
    if (password === undefined) {
      throw new OperatorError(
        `The password of the embedded Postgres is missing; restore ${passwordFile}, ` +
          `or remove ${directory} to start with an empty database.`,
      );
    }
    return { binaries, directory, password, account, asAccount };
  }

  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, password, { mode: 0o600, flush: true });
  await chmod(passwordFile, 0o600);
  if (account !== undefined) {
    await chown(unfinished, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  const asAccount = commandsOf(account, binaries, unfinished);
  await initialise(asAccount, binaries.initdb, unfinished, passwordFile);
  await rename(unfinished, directory);
  return { binaries, directory, password, account, asAccount };
}

function assertVersion(version: string, directory: string): void {
  if (version === String(postgresMajor)) return;
  throw new OperatorError(
    `The data in ${directory} is of Postgres ${version} and this Lavagna brings Postgres ` +
      `${postgresMajor}; move it with pg_dump and pg_restore, choose another DATA_DIR, or set ` +
      `DATABASE_URL to a server of version ${version}.`,
  );
}

async function readOwn(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code !== 'EACCES') throw error;
    throw new OperatorError(
      `${path} belongs to another account; start Lavagna as the one that created it, as root, ` +
        'or choose another DATA_DIR.',
    );
  });
}

/** The builtin locale provider sorts alike on every machine, whatever locales it has. */
async function initialise(
  asAccount: AsAccount,
  initdb: string,
  directory: string,
  passwordFile: string,
): Promise<void> {
  const { file, args, options } = asAccount(initdb, [
    ...[`--pgdata=${directory}`, `--username=${superuser}`, `--pwfile=${passwordFile}`],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ]);
  // A session of its own keeps Ctrl-C from ending it before we have dealt with the signal.
  const child = spawn(file, args, { ...options, detached: true, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  if (code === 0) return;
  const lastLines = output.trim().split('\n').slice(-5).join('\n');
  throw new OperatorError(`The embedded Postgres could not create its data:\n${lastLines}`);
}

/**
 * A program that uses the embedded server. `service` is a running Lavagna; a data directory has at
 * most one. `call` is a command that ends soon. `startedAt` tells it from a later process that got
 * the same pid.
 */
const userSchema = v.object({
  id: v.string(),
  pid: v.number(),
  startedAt: v.string(),
  role: v.picklist(['service', 'call']),
  /** Where it reaches the server; a restarted server listens there again. */
  port: v.optional(v.number()),
});
export type ServerUser = v.InferOutput<typeof userSchema>;

/** This process as one more user. */
export async function newUser(role: ServerUser['role']): Promise<ServerUser> {
  return {
    id: randomUUID(),
    pid: process.pid,
    startedAt: (await startOf(process.pid)) ?? '',
    role,
  };
}

/** The users that still live; what killed programs left behind is passed over. */
export async function readUsers(path: string): Promise<ServerUser[]> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  const users = v.parse(v.array(userSchema), parseList(text ?? ''));
  const starts = await Promise.all(users.map((user) => startOf(user.pid)));
  return users.filter((user, index) => starts[index] === user.startedAt);
}

/** A crash of the machine may leave the file empty or in pieces; no program outlived it. */
function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

/** Replaces the list. The caller holds the lock. */
export async function writeUsers(path: string, users: ServerUser[]): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(users));
  await rename(`${path}.new`, path);
}

/** When a process started, in clock ticks since boot, with the boot's id; undefined if gone. */
async function startOf(pid: number): Promise<string | undefined> {
  const [status, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(ignoreMissing),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(ignoreMissing),
  ]);
  if (status === undefined || boot === undefined) return undefined;
  // The command name may hold anything but ends at the last parenthesis; the state is the
  // third field after it starts counting, the start time the twenty-second.
  const [state, ...rest] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? undefined : `${boot.trim()}/${rest[18]}`;
}
