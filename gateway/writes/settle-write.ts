import type { Constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/running.ts';
import type { NewWrite, WriteResult } from '../../db/schema/write.ts';
import { UnavailableError } from '../http/errors.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { Results } from './results.ts';
import type { Submitter } from './submitter.ts';

/** The present state of a write. */
export interface SettledWrite {
  /** Its own id, or that of the earlier write with the same idempotency key. */
  id: string;
  /** Null when it takes too long: the write is kept and will be done. */
  result: WriteResult | null;
}

/**
 * Hands a write to the queue and waits until this gateway shows its result.
 *
 * @throws UnavailableError, InvalidError as the submitter
 */
export type Settle<W extends SentWrite> = (write: W, slug: string) => Promise<SettledWrite>;
export type SettleWrite = Settle<NewWrite>;

/** As far as its result is waited for. */
export type SentWrite = Pick<NewWrite, 'tenant_id' | 'id'>;

export function createSettler<W extends SentWrite>(
  submitter: Submitter<W>,
  results: Results,
  store: Pick<SnapshotStore, 'whenServed'>,
  { writeTimeout, writeSecuredAfter }: Pick<Constants, 'writeTimeout' | 'writeSecuredAfter'>,
): Settle<W> {
  return async (write, slug) => {
    const begunAt = performance.now();
    /** Null when the promise has not resolved `wait` ms after the request began. */
    const within = <T>(wait: number, promise: Promise<T>) =>
      withTimeout(begunAt + wait - performance.now(), promise, () => null);
    const tenantId = write.tenant_id;
    let expected = results.expect({ tenantId, id: write.id });
    try {
      const id = await within(writeTimeout, submitter.submit(write));
      if (id === null) throw new UnavailableError('the queue takes too long to accept a write');
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
