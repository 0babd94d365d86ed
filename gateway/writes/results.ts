import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { stopOnce, withTimeout } from '../../db/runtime/running.ts';
import type { WriteNotice } from '../../db/schema/notices.ts';
import type { NewWrite, WriteResult } from '../../db/schema/write.ts';
import { type FoundWrite, findWriteResults, type WriteKey } from '../../db/sql/writes.ts';
import { UnavailableError } from '../http/errors.ts';
import { createBatcher } from '../runtime/batcher.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { Submitter } from './submitter.ts';

/** The results of writes, as they are announced. */
export type Results = ReturnType<typeof createResults>;

interface Waiting {
  key: WriteKey;
  resolvers: Set<(result: WriteResult) => void>;
}

interface ResultsOptions {
  db: Db;
  log: Logger;
  /** Resolves when versions of the menu mean the same here as in the database. */
  confirm: () => Promise<void>;
  constants: Pick<Constants, 'maxResultsPerLookUp' | 'readTimeout' | 'resultPoll'>;
}

export function createResults({ db, log, confirm, constants }: ResultsOptions) {
  const waiting = new Map<string, Waiting>();
  const find = createBatcher<WriteKey, FoundWrite | undefined>(
    { maxItems: constants.maxResultsPerLookUp, timeout: constants.readTimeout },
    async (keys) => {
      const found = await findWriteResults(db, keys);
      // They came without a notice: this may be another server, whose notices do not arrive here yet.
      if (found.some(({ result }) => result)) await confirm();
      const nameOf = (tenantId: number, id: string) => `${tenantId}/${id}`;
      const byName = new Map(found.map((write) => [nameOf(write.tenant_id, write.id), write]));
      return keys.map(({ tenantId, id }) => byName.get(nameOf(tenantId, id)));
    },
  );

  const settle = ({ resolvers }: Waiting, result: WriteResult) => {
    for (const resolve of resolvers) resolve(result);
  };
  const asking = new Set<Promise<void>>();
  const findFor = async (one: Waiting) => {
    try {
      const result = (await find(one.key))?.result;
      if (result) settle(one, result);
    } catch (error) {
      log.warn({ err: error }, 'could not read the result of a write; will retry');
    }
  };
  const ask = (one: Waiting) => {
    const asked = findFor(one).then(() => {
      asking.delete(asked);
    });
    asking.add(asked);
  };
  const askAll = () => {
    for (const one of waiting.values()) ask(one);
  };
  const poll = setInterval(askAll, constants.resultPoll);

  return {
    /** A write and its result, where it has one; undefined when there is no such write. */
    find,
    /** Begins to wait for a result; made before the write is sent, it misses nothing. */
    expect: (key: WriteKey) => {
      const one = waiting.get(key.id) ?? { key, resolvers: new Set() };
      waiting.set(key.id, one);
      let drop = () => {};
      const result = new Promise<WriteResult>((resolve) => {
        one.resolvers.add(resolve);
        drop = () => {
          one.resolvers.delete(resolve);
          if (one.resolvers.size === 0 && waiting.get(key.id) === one) waiting.delete(key.id);
        };
      });
      // `drop` ends the wait; a second call does nothing.
      return { result, drop };
    },
    onNotice: ({ ids, outcomes: told }: WriteNotice) => {
      for (const [index, id] of ids.entries()) {
        const one = waiting.get(id);
        const result = told?.[index];
        if (one && result) settle(one, result);
        else if (one) ask(one);
      }
    },
    /** Announcements may have been missed: asks for everything that is waited for. */
    reconcile: askAll,
    ...stopOnce(async () => {
      clearInterval(poll);
      await Promise.all(asking);
    }),
  };
}

/** The present state of a write. */
interface SettledWrite {
  /** Its own id, or that of the earlier write with the same idempotency key. */
  id: string;
  /** Null when it takes too long: the write is kept and will be done. */
  result: WriteResult | null;
}

/**
 * Hands a write to the queue and waits until this gateway shows its result.
 *
 * @param onStored called when Postgres has it: its bytes are no longer needed
 * @throws UnavailableError, InvalidError as the submitter
 */
export type Settle<W extends SentWrite> = (
  write: W,
  slug: string,
  onStored?: () => void,
) => Promise<SettledWrite>;

/** As far as its result is waited for. */
export type SentWrite = Pick<NewWrite, 'tenant_id' | 'id'>;

export function createSettler<W extends SentWrite>(
  submitter: Submitter<W>,
  results: Results,
  store: Pick<SnapshotStore, 'whenServed'>,
  { writeTimeout, writeSecuredAfter }: Pick<Constants, 'writeTimeout' | 'writeSecuredAfter'>,
): Settle<W> {
  return async (write, slug, onStored) => {
    const begunAt = performance.now();
    /** Null when the promise has not resolved `wait` ms after the request began. */
    const within = <T>(wait: number, promise: Promise<T>) =>
      withTimeout(begunAt + wait - performance.now(), promise, () => null);
    const tenantId = write.tenant_id;
    let expected = results.expect({ tenantId, id: write.id });
    try {
      const id = await within(writeTimeout, submitter.submit(write));
      if (id === null) throw new UnavailableError('the queue takes too long to accept a write');
      onStored?.();
      const secure = () => submitter.secure({ tenantId, id });
      if (id !== write.id) {
        expected.drop();
        expected = results.expect({ tenantId, id });
        // The earlier write may be finished, and is not announced again.
        results.reconcile();
      }
      let result = await within(writeSecuredAfter, expected.result);
      // When Postgres does not answer or has lost the write, the client learns it before a 202.
      result ??= await Promise.race([expected.result, secure().then(() => null)]);
      result ??= await within(writeTimeout, expected.result);
      const served = result && (await within(writeTimeout, store.whenServed(slug, result.version)));
      if (result && served !== null) return { id, result };
      // A worker that has done a write has waited for the disk.
      if (!result) await secure();
      return { id, result: null };
    } finally {
      expected.drop();
    }
  };
}
