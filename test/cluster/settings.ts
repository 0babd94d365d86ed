import { stringify } from 'yaml';
import type { Network } from '../faults/hosts/network.ts';
import { DATABASES, type DatabaseHost } from './hosts.ts';
import { POSTGRES_BIN } from './programs.ts';

// gateway/DEPLOY.md shows these settings.

export const SCOPE = 'lavagna';
export const PATRONI_PORT = 8008;
export const PRIMARY_PORT = 5000;
export const POOL_PORT = 6432;
export const PASSWORD = 'only-for-this';
export const DATABASE = 'lavagna';
const POSTGRES_PORT = 5432;
const ETCD_PORT = 2379;
const ETCD_PEER_PORT = 2380;

/** The arguments of the etcd of a host. */
export function etcdArguments(network: Network, host: DatabaseHost, folder: string): string[] {
  const url = (name: string, port: number) => `http://${network.address(name)}:${port}`;
  const clients = url(host, ETCD_PORT);
  const peers = url(host, ETCD_PEER_PORT);
  const all = DATABASES.map((name) => `${name}=${url(name, ETCD_PEER_PORT)}`);
  return [
    ...['--name', host, '--data-dir', `${folder}/etcd`, '--log-level', 'warn'],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
    ...['--initial-cluster', all.join(), '--initial-cluster-state', 'new'],
  ];
}

/** patroni.yml of a host. */
export function patroniSettings(network: Network, host: DatabaseHost, folder: string): string {
  const own = network.address(host);
  const account = (username: string) => ({ username, password: PASSWORD });
  return stringify({
    scope: SCOPE,
    name: host,
    restapi: { listen: `${own}:${PATRONI_PORT}`, connect_address: `${own}:${PATRONI_PORT}` },
    etcd3: { hosts: DATABASES.map((name) => `${network.address(name)}:${ETCD_PORT}`) },
    bootstrap: {
      dcs: {
        // The least that Patroni takes; loop_wait + 2 × retry_timeout must not be more than ttl.
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        // A primary that ends is replaced at once, rather than waited for.
        primary_start_timeout: 0,
        synchronous_mode: true,
        // Else a primary that was just promoted answers commits that no other host has yet.
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            ...{ max_connections: 200, max_wal_senders: 10, wal_keep_size: '256MB' },
            // A standby whose first connection to a new primary fails tries again after this time, by
            // default 5 s. Commits wait for it.
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [
        'local all all trust',
        'host all all 10.77.0.0/24 scram-sha-256',
        'host replication replicator 10.77.0.0/24 scram-sha-256',
      ],
    },
    postgresql: {
      listen: `${own}:${POSTGRES_PORT}`,
      connect_address: `${own}:${POSTGRES_PORT}`,
      data_dir: `${folder}/data`,
      bin_dir: POSTGRES_BIN,
      pgpass: `${folder}/pgpass`,
      authentication: {
        superuser: account('postgres'),
        replication: account('replicator'),
        rewind: account('rewinder'),
      },
      parameters: { unix_socket_directories: folder },
    },
  });
}

/** haproxy.cfg: connections go to the primary, which Patroni's health check names. */
export function haproxySettings(network: Network): string {
  const servers = DATABASES.map(
    (host) =>
      `    server ${host} ${network.address(host)}:${POSTGRES_PORT} check port ${PATRONI_PORT}`,
  );
  return `global
    maxconn 2000
defaults
    mode tcp
    timeout connect 2s
    timeout client 30m
    timeout server 30m
    timeout check 1s
listen primary
    bind 127.0.0.1:${PRIMARY_PORT}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

/** pgbouncer.ini; a pool of 20 serves four gateways and two workers. */
export function pgbouncerSettings(folder: string): string {
  return `[databases]
${DATABASE} = host=127.0.0.1 port=${PRIMARY_PORT} dbname=${DATABASE}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${POOL_PORT}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
server_connect_timeout = 2
server_login_retry = 0.3
query_wait_timeout = 5
tcp_keepidle = 5
tcp_keepintvl = 2
tcp_keepcnt = 3
`;
}
