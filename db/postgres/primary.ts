import { Socket } from 'node:net';
import pg from 'pg';
import { constants } from '../runtime/constants.ts';
import type { ServerAddress } from '../runtime/database-url.ts';
import { rootCause } from '../runtime/root-cause.ts';
import { isOutage } from './outage.ts';

/** What Postgres calls a statement that a standby does not take. */
const READ_ONLY = '25006';

/** Whether the server follows another one, and so takes no writes. */
export async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_is_in_recovery() as standby');
  return rows[0].standby;
}

/** @throws when it does not answer in time, or takes no writes */
async function assertPrimary(url: string, server: ServerAddress): Promise<ServerAddress> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: constants.primarySearchTimeout,
    query_timeout: constants.primarySearchTimeout,
    // The URL names the first host, whichever is meant here.
    stream: streamTo(async () => server),
  });
  const socket = client.connection.stream as AddressedSocket;
  // What breaks after the answer concerns nobody.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await isStandby(client))) return server;
    const text = `${server.host}:${server.port} is a standby`;
    throw Object.assign(new Error(text), { code: READ_ONLY });
  } finally {
    void client.end().catch(() => undefined);
    socket.destroySoon();
  }
}

/** Why no host takes writes: what each of them says, under a code that says that one is away. */
function refusal({ errors }: AggregateError): Error {
  const roots = errors.flatMap((error) => rootCause(error) ?? []);
  const { code } = roots.find(isOutage) ?? roots[0] ?? {};
  return Object.assign(new Error(roots.map(({ message }) => message).join('; ')), { code });
}

/**
 * Finds the host that takes writes: the first to say so. Those who ask at the same time share one
 * search.
 *
 * @param url with the account and the name of the database
 */
export function createPrimaryFinder(
  url: string,
  servers: readonly ServerAddress[],
): () => Promise<ServerAddress> {
  let search: Promise<ServerAddress> | undefined;
  return () => {
    search ??= Promise.any(servers.map((server) => assertPrimary(url, server))).finally(() => {
      search = undefined;
    });
    // Each has an error of its own: pg-boss writes into those that it hears of.
    return search.catch((error) => {
      throw refusal(error);
    });
  };
}

/** What pg's connections are beside their types. */
interface Upgradable {
  /** Begins TLS with the host whose name goes to the server and has to be in its certificate. */
  upgradeToSSL(host: string, report: (error: Error) => void): void;
}

/** How pg opens a socket: it calls this as a method of the connection that is to have it. */
export type OpenSocket = (this: Upgradable) => Socket;

/**
 * Sockets that, told to connect, go where `find` says instead. With TLS that server's certificate has
 * to name the host that was found: pg itself would ask for the one in its URL.
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
  /** Where it went; undefined before that is known. */
  host: string | undefined;

  constructor(find: () => Promise<ServerAddress>) {
    super();
    this.#find = find;
  }

  override connect(): this {
    this.#find().then(
      ({ host, port }) => {
        // pg may have lost its patience meanwhile.
        if (this.destroyed) return;
        this.host = host;
        super.connect(port, host);
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }
}
