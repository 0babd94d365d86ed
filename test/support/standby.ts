import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cluster, openCluster, superuser } from '../../db/operator/database/cluster.ts';
import { migrate } from '../../db/operator/database/migrate.ts';
import {
  type PostgresServer,
  startPostgres,
  stopServer,
} from '../../db/operator/database/server.ts';
import { fileFolder } from './folder.ts';
import { forFile } from './for-file.ts';
import { runSql } from './sql.ts';
import { until } from './until.ts';

const DATABASE = 'lavagna';

/** Two Postgres servers: the standby replicates the primary, and can be promoted. */
interface ReplicatedServers {
  primary: { url: string; stop(): Promise<void> };
  standby: {
    url: string;
    /** Stops the replication: the standby gets no further changes of the primary. */
    disconnect(): Promise<void>;
    /** Replicates the primary again, and catches up. */
    reconnect(): Promise<void>;
  };
  /** Holds the files of both. */
  folder: string;
  /** Names both hosts; a connection goes to the one that takes writes. */
  url: string;
  stop(): Promise<void>;
}

interface Member {
  cluster: Cluster;
  server: PostgresServer;
}

async function start(cluster: Cluster, folder: string, name: string): Promise<Member> {
  return { cluster, server: await startPostgres(cluster, join(folder, `${name}.log`)) };
}

/** Copies a key into the server's folder, and a certificate for each name of this machine. */
async function placeCertificates({ directory, account }: Cluster): Promise<void> {
  for (const name of ['key.pem', 'localhost.pem', 'loopback.pem']) {
    const file = join(directory, name);
    await copyFile(new URL(`./tls/${name}`, import.meta.url), file);
    await chmod(file, 0o600);
    if (account) await chown(file, account.uid, account.gid);
  }
}

/** Creates the primary, copies its files while it is stopped, and starts the copy as the standby. */
async function startReplicatedServers(): Promise<ReplicatedServers> {
  const folder = await fileFolder();
  const cluster = await openCluster(folder);
  await placeCertificates(cluster);
  const address = ({ server }: Member) => `127.0.0.1:${server.port}`;
  const head = `postgres://${superuser}:${cluster.password}@`;

  let primary = await start(cluster, folder, 'primary');
  await runSql(`${head}${address(primary)}/postgres`, `create database ${DATABASE}`);
  await stopServer(primary.server, cluster.directory);
  const directory = join(folder, 'standby');
  await promisify(execFile)('cp', ['-a', cluster.directory, directory]);
  primary = await start(cluster, folder, 'primary');

  const { port } = primary.server;
  const conninfo = `host=127.0.0.1 port=${port} user=${superuser} password=${cluster.password}`;
  const settings = `primary_conninfo = '${conninfo}'\n`;
  await appendFile(join(directory, 'postgresql.auto.conf'), settings);
  // An empty file would do. A copy with `-a` belongs to the server's account.
  const files = ['PG_VERSION', 'standby.signal'].map((name) => join(directory, name));
  await promisify(execFile)('cp', ['-a', ...files]);
  const standby = await start({ ...cluster, directory }, folder, 'standby');

  const standbyUrl = `${head}${address(standby)}/${DATABASE}`;
  const follow = async (source: string) => {
    await runSql(standbyUrl, `alter system set primary_conninfo = '${source}'`);
    await runSql(standbyUrl, 'select pg_reload_conf()');
    await until(`the standby does not follow '${source}'`, async () => {
      const receivers = await runSql(standbyUrl, 'select from pg_stat_wal_receiver');
      return receivers.length === (source ? 1 : 0);
    });
  };

  let isPrimaryUp = true;
  const stopPrimary = async () => {
    if (isPrimaryUp) await stopServer(primary.server, cluster.directory);
    isPrimaryUp = false;
  };
  return {
    folder,
    primary: { url: `${head}${address(primary)}/${DATABASE}`, stop: stopPrimary },
    standby: { url: standbyUrl, disconnect: () => follow(''), reconnect: () => follow(conninfo) },
    url: `${head}${address(primary)},${address(standby)}/${DATABASE}?target_session_attrs=read-write`,
    stop: async () => {
      await stopServer(standby.server, directory);
      await stopPrimary();
    },
  };
}

/** The same with the tables of Lavagna, stopped with the tests of the file. */
export const replicatedServers = forFile(async () => {
  const servers = await startReplicatedServers();
  await migrate(servers.primary.url);
  return servers;
});
