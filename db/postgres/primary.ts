import { Socket } from 'node:net';
import pg from 'pg';
import { bounds } from '../bounds.ts';
import type { Place } from './places.ts';

/** @throws when it does not answer in time, or takes no writes */
async function assertPrimary(url: string, { host, port }: Place): Promise<Place> {
  const socket = new PlaceSocket(async () => ({ host, port }));
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: bounds.primarySearchTimeout,
    query_timeout: bounds.primarySearchTimeout,
    // The URL names the first host, whichever is meant here.
    stream: () => socket,
  });
  // What breaks after the answer concerns nobody.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as standby');
    if (rows[0].standby) throw new Error(`${host}:${port} is a standby`);
    return { host, port };
  } finally {
    void client.end().catch(() => undefined);
    socket.destroySoon();
  }
}

/**
 * Finds the host that takes writes: the first to say so. Those who ask at the same time share one
 * search.
 *
 * @param url with the account and the name of the database
 */
export function createPrimaryFinder(url: string, places: readonly Place[]): () => Promise<Place> {
  let search: Promise<Place> | undefined;
  return () => {
    search ??= Promise.any(places.map((place) => assertPrimary(url, place))).finally(() => {
      search = undefined;
    });
    return search;
  };
}

/** A socket that, told to connect, goes where `find` says instead. */
export class PlaceSocket extends Socket {
  readonly #find: () => Promise<Place>;

  constructor(find: () => Promise<Place>) {
    super();
    this.#find = find;
  }

  override connect(): this {
    this.#find().then(
      ({ host, port }) => {
        // pg may have lost its patience meanwhile.
        if (!this.destroyed) super.connect(port, host);
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }
}
