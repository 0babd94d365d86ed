import { Socket } from 'node:net';
import pg from 'pg';
import * as v from 'valibot';
import type { ServerAddress } from '../runtime/database-url.ts';
import { rootCause } from '../runtime/operator-error.ts';
import { isOutage } from './outage.ts';
import { type Db, dbOf, sql } from './sql.ts';

/** Timeout of the question to each of several hosts whether it is the primary, in ms. */
const PRIMARY_SEARCH_TIMEOUT = 1_000;

/** The error code of a standby that refuses to write. */
const READ_ONLY = '25006';

/** Whether the server is a standby, which takes no writes. */
export function isStandby(db: Db): Promise<boolean> {
  return db.one(sql.value(v.boolean())`select pg_is_in_recovery() as standby`);
}

/** @throws when it does not answer in time, or takes no writes */
async function assertPrimary(url: string, server: ServerAddress): Promise<ServerAddress> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PRIMARY_SEARCH_TIMEOUT,
    query_timeout: PRIMARY_SEARCH_TIMEOUT,
    // The URL names the first host only.
    stream: streamTo(async () => server),
  });
  const socket = client.connection.stream as AddressedSocket;
  // Errors after the answer change nothing.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await isStandby(dbOf(client)))) return server;
    const text = `${server.host}:${server.port} is a standby`;
    throw Object.assign(new Error(text), { code: READ_ONLY });
  } finally {
    void client.end().catch(() => undefined);
    socket.destroySoon();
  }
}

/** No host takes writes; `isLate` where one of them has not answered in time, and might. */
type Refusal = Error & { code: unknown; isLate: boolean };

/** One error for the errors of all hosts, with the code of an outage if there is one among them. */
function refusal({ errors }: AggregateError, isLate: boolean): Refusal {
  const roots = errors.flatMap((error) => rootCause(error) ?? []);
  const { code } = roots.find(isOutage) ?? roots[0] ?? {};
  const message = roots.map((root) => root.message).join('; ');
  return Object.assign(new Error(message), { code, isLate });
}

/**
 * Finds the host that takes writes: the first to say so. Callers at the same time share one search.
 *
 * @param url with the account and the name of the database
 */
export function createPrimaryFinder(
  url: string,
  servers: readonly ServerAddress[],
): () => Promise<ServerAddress> {
  let search: Promise<ServerAddress> | undefined;
  let startedAt = 0;
  const begin = () => {
    startedAt = performance.now();
    return Promise.any(servers.map((server) => assertPrimary(url, server)));
  };
  return () => {
    search ??= begin().finally(() => {
      search = undefined;
    });
    const since = startedAt;
    // Each caller gets an error of its own, because pg-boss changes the errors that it receives.
    return search.catch((error) => {
      // A host that is away refuses at once.
      throw refusal(error, performance.now() - since > PRIMARY_SEARCH_TIMEOUT / 2);
    });
  };
}

/** A method of pg's connections that their types leave out. */
interface Upgradable {
  /** Begins TLS; the server's certificate must name the host. */
  upgradeToSSL(host: string, report: (error: Error) => void): void;
}

/** pg calls this as a method of the connection that needs the socket. */
type OpenSocket = (this: Upgradable) => Socket;

/**
 * Opens sockets that connect to the server that `find` returns. With TLS, the certificate must name
 * the host that was found, where pg would check the one in its URL.
 */
export function streamTo(find: () => Promise<ServerAddress>): OpenSocket {
  return function open() {
    const socket = new AddressedSocket(find);
    const upgrade = this.upgradeToSSL;
    this.upgradeToSSL = (urlHost, report) => upgrade.call(this, socket.host ?? urlHost, report);
    return socket;
  };
}

class AddressedSocket extends Socket {
  readonly #find: () => Promise<ServerAddress>;
  /** Undefined until the server is found. */
  host: string | undefined;

  constructor(find: () => Promise<ServerAddress>) {
    super();
    this.#find = find;
  }

  override connect(): this {
    this.#find().then(
      ({ host, port }) => {
        // pg may have closed the socket meanwhile, at its timeout.
        if (this.destroyed) return;
        this.host = host;
        super.connect(port, host);
      },
      (error: Partial<Refusal>) => {
        // The caller says how long it waits: its timeout is longer than that of one search.
        if (error.isLate && !this.destroyed) this.connect();
        else this.destroy(error as Error);
      },
    );
    return this;
  }
}
