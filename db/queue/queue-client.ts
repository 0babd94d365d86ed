import type { Duplex } from 'node:stream';
import pg from 'pg';
import { constants } from '../runtime/constants.ts';

const names = new Map<string, string>();

/** What Postgres can prepare: one statement, and none of those that begin or end transactions. */
const PREPARABLE = /^\s*(with|select|insert|update|delete)\b[^;]*$/i;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  const isFull = names.size >= constants.maxQueueStatements;
  if (known !== undefined || isFull || !PREPARABLE.test(text)) return known;
  const name = `queue_${names.size}`;
  names.set(text, name);
  return name;
}

type Callback = (error: Error, result: pg.QueryResult) => void;

/**
 * A connection of the queue, made for few round trips.
 *
 * It prepares statements the first time it runs them: to plan them took Postgres longer than to run
 * them (18 ms of its time for one write of the admin API, 13 ms with prepared ones). It sends each
 * statement at once, whether or not those before it have been answered, and it begins a transaction
 * without waiting for Postgres to say so: the transaction's first statements leave with the BEGIN.
 */
export class QueueClient extends pg.Client {
  readonly #socket: Duplex;

  constructor(config: pg.ClientConfig) {
    super({ ...config, pipeline: true });
    this.#socket = this.connection.stream;
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares this method ten times over.
  override query(query: any, values?: any, callback?: Callback): any {
    if (query === 'BEGIN') return this.#begin();
    const name = typeof query === 'string' ? nameOf(query) : undefined;
    if (name === undefined) return super.query(query, values, callback as Callback);
    const given = typeof values === 'function' ? [] : (values ?? []);
    const done: Callback | undefined = typeof values === 'function' ? values : callback;
    return super.query({ name, text: query, values: given }, done as Callback);
  }

  /**
   * When BEGIN fails, the statements that were sent behind it would run outside of a transaction: the
   * connection is destroyed instead.
   */
  async #begin(): Promise<void> {
    super.query('BEGIN').catch((error: Error) => this.#socket.destroy(error));
  }
}
