import { createHmac } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dbOf } from '../../postgres/sql.ts';
import { asError, OperatorError } from '../../runtime/operator-error.ts';
import { type Running, stopOnce } from '../../runtime/running.ts';
import { createOwnDatabase } from '../../sql/server.ts';
import {
  type Cluster,
  hasCluster,
  newUser,
  openCluster,
  readUsers,
  type ServerUser,
  writeUsers,
} from './cluster.ts';
import { withLock } from './lock.ts';
import {
  createSuperuserClient,
  findServer,
  type PostgresServer,
  startPostgres,
  stopServer,
  superviseServer,
} from './server.ts';

/** The embedded server as one program uses it. */
export interface EmbeddedServer extends Running {
  /** The database `lavagna`, by a role that owns it and may create further ones. */
  url: string;
}

export type EmbeddedOptions = {
  dataDir: string;
  /** The role of this program: a running Lavagna, one per data directory, or a call that ends soon. */
  role: ServerUser['role'];
  /** Refuses a folder without data instead of creating them. */
  mustExist?: boolean;
};

const databaseName = 'lavagna';

/** @param port where its users know the server; any free one without */
async function findOrStart(cluster: Cluster, logPath: string, port?: number) {
  return (await findServer(cluster)) ?? startPostgres(cluster, logPath, port);
}

/**
 * Reaches the embedded server of `dataDir`, and starts it if it is down. Programs may share it:
 * the last one that leaves stops it, and what a killed program left running is taken over.
 *
 * @throws {OperatorError} when a Lavagna already runs on the directory, the server cannot run, or data
 * that must exist do not.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { role, mustExist = false } = options;
  if (mustExist) assertData(options.dataDir);
  const dataDir = await makeDataDir(options.dataDir);
  const lockPath = join(dataDir, 'postgres.lock');
  const logPath = join(dataDir, 'postgres.log');
  const usersPath = join(dataDir, 'postgres.users');
  const self = await newUser(role);

  const { cluster, server } = await withLock(lockPath, async () => {
    const others = await readUsers(usersPath);
    assertOneService(role, others, dataDir);
    const cluster = await openCluster(dataDir);
    const known = others.find(({ port }) => port !== undefined)?.port;
    const server = await findOrStart(cluster, logPath, known);
    await makeDatabase(cluster, server).catch(async (error) => {
      if (others.length === 0) await stopServer(server, cluster.directory);
      throw error;
    });
    await writeUsers(usersPath, [...others, { ...self, port: server.port }]);
    return { cluster, server };
  });

  // A call ends soon. A service runs for long, so it looks after the server.
  const restart = () => withLock(lockPath, () => findOrStart(cluster, logPath, server.port));
  const kept =
    role === 'service' ? superviseServer(server, cluster.directory, logPath, restart) : undefined;
  const leave = async () => {
    await kept?.stop();
    return withLock(lockPath, async () => {
      const others = (await readUsers(usersPath)).filter((user) => user.id !== self.id);
      const running = others.length === 0 ? await findServer(cluster) : undefined;
      if (running !== undefined) await stopServer(running, cluster.directory);
      await writeUsers(usersPath, others);
    });
  };
  const authority = `${databaseName}:${rolePassword(cluster)}@127.0.0.1:${server.port}`;
  return {
    url: `postgres://${authority}/${databaseName}`,
    ...stopOnce(leave),
  };
}

function assertData(dataDir: string): void {
  if (hasCluster(dataDir)) return;
  throw new OperatorError(
    `DATA_DIR ${dataDir} holds no data of Lavagna: name the folder that does, ` +
      'or begin there with npm start or the command tenant create.',
  );
}

/** Makes a folder and those that it lies in. Node's own `recursive` never ends below `/proc`. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = asError(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

/** Its real path: a server is known by it, whatever links led there. */
async function makeDataDir(dataDir: string): Promise<string> {
  await makeFolder(dataDir).catch(({ code }: NodeJS.ErrnoException) => {
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const reason = isFile ? 'is no folder, or lies below a file' : `cannot be created: ${code}`;
    throw new OperatorError(`DATA_DIR ${dataDir} ${reason}.`);
  });
  await access(dataDir, constants.W_OK | constants.X_OK).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new OperatorError(
        `DATA_DIR ${dataDir} cannot be written to (${code}): let this account write there, mount it ` +
          'for writing, or choose another DATA_DIR.',
      );
    },
  );
  return realpath(dataDir);
}

function assertOneService(role: ServerUser['role'], others: ServerUser[], dataDir: string): void {
  const service = others.find((user) => user.role === 'service');
  if (role === 'call' || service === undefined) return;
  throw new OperatorError(
    `Lavagna already runs on ${dataDir} (process ${service.pid}); ` +
      'stop it first, or choose another DATA_DIR.',
  );
}

/** Makes `lavagna`, once per cluster. */
async function makeDatabase(cluster: Cluster, server: PostgresServer): Promise<void> {
  const client = createSuperuserClient(cluster, server.port);
  await client.connect();
  try {
    await createOwnDatabase(dbOf(client), databaseName, rolePassword(cluster));
  } finally {
    await client.end();
  }
}

/** Not the superuser's, and base64url: it needs no escape in a URL. */
function rolePassword(cluster: Cluster): string {
  return createHmac('sha256', cluster.password).update(databaseName).digest('base64url');
}
