import type { Duplex } from 'node:stream';
import pg from 'pg';
import { watchStandby } from '../postgres/outage.ts';
import { planOnceWithIndexes, toPg } from '../postgres/sql.ts';

/** Different statements that a connection prepares; there are some dozens. */
const MAX_QUEUE_STATEMENTS = 200;

/** Statements that Postgres can prepare: single ones, and none that begin or end transactions. */
const PREPARABLE = /^\s*(with|select|insert|update|delete)\b[^;]*$/i;

type Callback = (error: Error, result: pg.QueryResult) => void;

/**
 * A connection of the queue, made for few round trips.
 *
 * It prepares statements the first time it runs them: to plan them took Postgres longer than to run
 * them (18 ms of its time for one write of the admin API, 13 ms with prepared ones). Left to choose,
 * Postgres plans some anew at each run, from the first statistics of a table on, and three times its
 * time went there. A kept plan may be as old as the first write, when tables were so small that
 * Postgres would read them whole. So plans use indexes here wherever there is one.
 *
 * It sends each statement at once, whether or not those before it have been answered, and it begins a
 * transaction without waiting for Postgres to say so. The statements of one moment leave together:
 * each packet costs both sides a call of the kernel, and Postgres a process to wake.
 *
 * A commit that only this host has fails (`watchStandby`).
 */
export class QueueClient extends pg.Client {
  readonly #socket: Duplex;
  /** The names of prepared statements, by their texts. */
  readonly #names = new Map<string, string>();
  readonly #takeUnsafe = watchStandby(this);

  constructor(config: pg.ClientConfig) {
    super({ ...config, pipeline: true });
    this.#socket = this.connection.stream;
    // The first statement of the connection.
    this.#sendOrLose(toPg(planOnceWithIndexes));
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares this method ten times over.
  override query(query: any, values?: any, callback?: Callback): any {
    this.#gather();
    // Where it fails, the statements that were sent behind it must not run outside of a transaction.
    if (query === 'BEGIN') return Promise.resolve(this.#sendOrLose({ text: 'BEGIN' }));
    const name = typeof query === 'string' ? this.#nameOf(query) : undefined;
    const given = typeof values === 'function' ? [] : (values ?? []);
    const done: Callback | undefined = typeof values === 'function' ? values : callback;
    const send = (answer: Callback) => {
      // pg's types leave out that the error is null when there is none.
      const checked: Callback = (error, result) =>
        answer(error ?? (this.#takeUnsafe() as Error), result);
      const sent = name === undefined ? query : { name, text: query, values: given };
      super.query(sent, given, checked);
    };
    if (done) return send(done);
    return new Promise((resolve, reject) => {
      send((error, result) => (error ? reject(error) : resolve(result)));
    });
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    const isFull = this.#names.size >= MAX_QUEUE_STATEMENTS;
    if (known !== undefined || isFull || !PREPARABLE.test(text)) return known;
    const name = `queue_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Keeps statements back until the present piece of code has sent its last. */
  #gather(): void {
    const { stream } = this.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  #sendOrLose(statement: pg.QueryConfig): void {
    super.query(statement).catch((error: Error) => this.#socket.destroy(error));
  }
}
