/** Where a Postgres may be. */
export interface ServerAddress {
  host: string;
  port: number;
}

const SCHEME = /^postgres(ql)?:$/;
/** Scheme and account, hosts, and the rest. A password's own @ and / are written as %40 and %2F. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^@/?]*)(.*)$/;
const DEFAULT_PORT = 5_432;
/** libpq's word for what is done with several hosts in any case: the one that takes writes. */
const SESSION_ATTRS = 'target_session_attrs';

function readServer(text: string): ServerAddress {
  const { hostname, port } = new URL(`postgres://${text}`);
  return {
    // pg takes an IPv6 address without its brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: port === '' ? DEFAULT_PORT : Number(port),
  };
}

/**
 * The hosts of a database's URL, `postgres://a,b:5433/name`, and the URL with the first of them
 * alone, as libraries read it.
 *
 * @throws TypeError when it is not such a URL
 */
export function readDatabaseUrl(databaseUrl: string): { url: string; servers: ServerAddress[] } {
  const [, head = '', hosts = '', tail = ''] = PARTS.exec(databaseUrl) ?? [];
  const [first = '', ...others] = hosts.split(',');
  const url = new URL(`${head}${first}${tail}`);
  if (!SCHEME.test(url.protocol)) throw new TypeError('not the URL of a Postgres');
  url.searchParams.delete(SESSION_ATTRS);
  return { url: url.href, servers: [first, ...others].map(readServer) };
}

/** The part of a database's URL that may be shown: host, port and name, without the account. */
export function describeDatabaseUrl(databaseUrl: string): string {
  const { url, servers } = readDatabaseUrl(databaseUrl);
  const list = servers.map(({ host, port }) => `${host}:${port}`).join(',');
  return `${list}${new URL(url).pathname}`;
}
