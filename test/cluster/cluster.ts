import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Child, startChild } from '../../bench/processes/child.ts';
import type { Network } from '../faults/hosts/network.ts';
import { DATABASES, type DatabaseHost } from './hosts.ts';
import {
  DATABASE,
  etcdArguments,
  haproxySettings,
  PASSWORD,
  PATRONI_PORT,
  POOL_PORT,
  PRIMARY_PORT,
  patroniSettings,
  pgbouncerSettings,
} from './settings.ts';
import { signalHosts } from './signal-hosts.ts';

/** The proxies between Lavagna and Postgres. */
export type ProxyName = 'haproxy' | 'pgbouncer';

/** Three Postgres under Patroni with etcd, behind HAProxy and PgBouncer. */
export interface Cluster {
  /** Through PgBouncer, in transaction mode. */
  poolUrl: string;
  /** Through HAProxy. */
  sessionUrl: string;
  /** The same for the superuser. */
  adminUrl: string;
  /** The host that Patroni says takes writes; null while there is none. */
  findPrimary(): Promise<DatabaseHost | null>;
  /** Waits for a primary that is none of these. */
  untilPrimary(others?: readonly DatabaseHost[]): Promise<DatabaseHost>;
  /** Waits until there is none. */
  untilNone(): Promise<void>;
  /** Waits for a primary, a synchronous standby and another standby. */
  untilWhole(): Promise<DatabaseHost>;
  /** The other hosts; first the synchronous standby. */
  standbys(): Promise<DatabaseHost[]>;
  /** Ends each process of a host by SIGKILL. */
  killHost(host: DatabaseHost): void;
  startHost(host: DatabaseHost): Promise<void>;
  stopEtcd(host: DatabaseHost): Promise<void>;
  startEtcd(host: DatabaseHost): Promise<void>;
  /** Calls patronictl with arguments, and returns what it prints. */
  control(...args: string[]): Promise<string>;
  /** Ends a proxy; resolves when it has ended. */
  stopProxy(proxy: ProxyName): Promise<void>;
  startProxy(proxy: ProxyName): Promise<void>;
}

const POLL_MS = 50;
const BOUND_MS = 600_000;
const CHECK_MS = 500;
/** Connections in a row that reach a primary, when HAProxy has checked all servers. */
const CHECKED = 2 * DATABASES.length;
/** Patroni, Postgres and PgBouncer refuse to run as root. */
const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--'];

interface Member {
  name: DatabaseHost;
  role: string;
  state: string;
  lag?: number | 'unknown';
}

async function until<T>(what: () => string, find: () => Promise<T | null>): Promise<T> {
  const bound = performance.now() + BOUND_MS;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    if (performance.now() > bound) throw new Error(what());
    await sleep(POLL_MS);
  }
}

/** Whether a server answers that takes writes. */
async function answers(connectionString: string): Promise<true | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CHECK_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as standby');
    return rows[0].standby ? null : true;
  } catch {
    return null;
  } finally {
    await client.end();
  }
}

const urlAt = (port: number, user: string, database: string) =>
  `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`;

/**
 * Makes role and database, with the bounds that connections through PgBouncer cannot set.
 *
 * @returns the secret by which Postgres checks the role's password
 */
async function createDatabase(connectionString: string): Promise<string> {
  // Until HAProxy has checked all servers, it takes one after the other for a primary.
  for (let found = 0; found < CHECKED; ) found = (await answers(connectionString)) ? found + 1 : 0;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`create role lavagna login password '${PASSWORD}'`);
  await client.query(`alter role lavagna set statement_timeout = '15s'`);
  await client.query(`alter role lavagna set idle_in_transaction_session_timeout = '10s'`);
  await client.query(`create database ${DATABASE} owner lavagna`);
  const { rows } = await client.query(
    `select rolpassword as secret from pg_authid where rolname = 'lavagna'`,
  );
  await client.end();
  return rows[0].secret;
}

/** Whether Patroni on a host answers 200 for the role. */
async function hasRole(network: Network, host: DatabaseHost, role: string): Promise<boolean> {
  const url = `http://${network.address(host)}:${PATRONI_PORT}/${role}`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function listMembers(network: Network, host: DatabaseHost): Promise<Member[]> {
  const url = `http://${network.address(host)}:${PATRONI_PORT}/cluster`;
  const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_MS) });
  return ((await response.json()) as { members: Member[] }).members;
}

function isWhole(members: readonly Member[]): boolean {
  const isUp = ({ role, state, lag }: Member) =>
    ['running', 'streaming'].includes(state) && (role === 'leader' || typeof lag === 'number');
  const roles = members.map(({ role }) => role).sort();
  return members.every(isUp) && roles.join() === 'leader,replica,sync_standby';
}

/** @param folder empty; every account may enter it */
export async function startCluster(network: Network, folder: string): Promise<Cluster> {
  const etcds = new Map<DatabaseHost, Child>();
  const proxies = new Map<ProxyName, Child>();
  const [uid, gid] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, 'postgres'])));
  const place = (host: DatabaseHost) => `${folder}/${host}`;
  const settings = (host: DatabaseHost) => `${place(host)}/patroni.yml`;
  for (const host of DATABASES) {
    await mkdir(place(host));
    await writeFile(settings(host), patroniSettings(network, host, place(host)));
    execFileSync('chown', ['-R', `${uid}:${gid}`, place(host)]);
    await chmod(place(host), 0o755);
  }
  await writeFile(`${folder}/haproxy.cfg`, haproxySettings(network));
  await writeFile(`${folder}/pgbouncer.ini`, pgbouncerSettings(folder));
  const proxyCommands: Record<ProxyName, string[]> = {
    haproxy: ['haproxy', '-db', '-f', `${folder}/haproxy.cfg`],
    pgbouncer: [...AS_POSTGRES, 'pgbouncer', '--quiet', `${folder}/pgbouncer.ini`],
  };
  const startEtcd = async (host: DatabaseHost) => {
    const command = [...AS_POSTGRES, 'etcd', ...etcdArguments(network, host, place(host))];
    etcds.set(host, await startChild(network.on(host, command)));
  };
  const startHost = async (host: DatabaseHost) => {
    await startEtcd(host);
    await startChild(network.on(host, [...AS_POSTGRES, 'patroni', settings(host)]));
  };
  const sessionUrl = urlAt(PRIMARY_PORT, 'lavagna', DATABASE);
  const poolUrl = urlAt(POOL_PORT, 'lavagna', DATABASE);
  const adminUrl = urlAt(PRIMARY_PORT, 'postgres', 'postgres');
  const portOf = { haproxy: adminUrl, pgbouncer: poolUrl };
  const startProxy = async (proxy: ProxyName) => {
    proxies.set(proxy, await startChild(proxyCommands[proxy]));
    const find = () => answers(portOf[proxy]);
    await until(() => `no way through ${proxy}`, find);
  };
  const findPrimary = async () => {
    const isPrimary = await Promise.all(DATABASES.map((host) => hasRole(network, host, 'primary')));
    return DATABASES.find((_, index) => isPrimary[index]) ?? null;
  };
  const untilPrimary: Cluster['untilPrimary'] = (others = []) =>
    until(
      () => 'there is no primary',
      async () => {
        const primary = await findPrimary();
        return primary !== null && !others.includes(primary) ? primary : null;
      },
    );
  const cluster: Cluster = {
    ...{ poolUrl, sessionUrl, adminUrl, findPrimary, untilPrimary },
    ...{ startHost, startEtcd, startProxy },
    untilNone: async () => {
      const find = async () => (await findPrimary()) === null || null;
      await until(() => 'there is still a primary', find);
    },
    untilWhole: async () => {
      let members: Member[] = [];
      const find = async () => {
        const primary = await findPrimary();
        if (primary === null) return null;
        members = await listMembers(network, primary).catch(() => []);
        return isWhole(members) ? primary : null;
      };
      return until(() => `the cluster is not whole: ${JSON.stringify(members)}`, find);
    },
    standbys: async () => {
      const members = await listMembers(network, await untilPrimary());
      return members
        .filter(({ role }) => role !== 'leader')
        .sort((a, b) => b.role.localeCompare(a.role))
        .map(({ name }) => name);
    },
    killHost: (host) => {
      signalHosts(network, [host], 'SIGKILL');
    },
    stopEtcd: async (host) => {
      await etcds.get(host)?.stop();
    },
    control: async (...args) => {
      const all = ['-c', settings('db1'), ...args];
      return (await promisify(execFile)('patronictl', all)).stdout;
    },
    stopProxy: async (proxy) => {
      await proxies.get(proxy)?.stop();
    },
  };
  await Promise.all(DATABASES.map(startHost));
  await cluster.untilWhole();
  await startProxy('haproxy');
  const secret = await createDatabase(adminUrl);
  // From a password, PgBouncer would make the secret again at every login, which takes long.
  await writeFile(`${folder}/users.txt`, `"lavagna" "${secret}"\n`);
  await startProxy('pgbouncer');
  return cluster;
}
