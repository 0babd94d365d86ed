import type { Constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/with-timeout.ts';
import type { NewWrite } from '../../db/schema/write.ts';
import type { Answer } from '../http/answer.ts';
import { UnavailableError } from '../http/errors.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { ReadJob } from './read-job.ts';
import type { Results } from './results.ts';
import type { Submitter } from './submitter.ts';
import { acceptedAnswer, resultAnswer } from './write-answer.ts';

export interface PerformerOptions {
  submitter: Submitter;
  results: Results;
  store: Pick<SnapshotStore, 'whenServed'>;
  readJob: ReadJob;
  constants: Pick<Constants, 'writeTimeout' | 'writeSecuredAfter'>;
}

/**
 * Hands a write to the queue, waits for its result and answers when this gateway shows it, or with 202
 * when that takes too long.
 *
 * @param isAsync whether the client asked not to wait
 * @param ignored paths of fields that the answer says were ignored
 * @throws UnavailableError, InvalidError as the submitter
 */
export type PerformWrite = (
  write: NewWrite,
  slug: string,
  isAsync: boolean,
  ignored: readonly string[],
) => Promise<Answer>;

const APPLIED = { 'Preference-Applied': 'respond-async' };

export function createPerformer(options: PerformerOptions): PerformWrite {
  const { submitter, results, store, readJob, constants } = options;
  return async (write, slug, isAsync, ignored) => {
    const { writeTimeout, writeSecuredAfter } = constants;
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
      const isRepeated = id !== write.id;
      if (isAsync) {
        await secure();
        const known = isRepeated ? await readJob({ id: tenantId, slug }, id, APPLIED) : null;
        return known ?? acceptedAnswer(id, APPLIED);
      }
      if (isRepeated) {
        expected.drop();
        expected = results.expect({ tenantId, id });
        // The earlier write may be finished, and nobody will announce it again.
        results.reconcile();
      }
      let result = await within(writeSecuredAfter, expected.result);
      // That Postgres does not answer, or has lost the write, is told sooner than a 202.
      result ??= await Promise.race([expected.result, secure().then(() => null)]);
      result ??= await within(writeTimeout, expected.result);
      const served = result && (await within(writeTimeout, store.whenServed(slug, result.version)));
      if (result && served !== null) return resultAnswer(result, ignored);
      // Whoever has done a write has waited for the disk.
      if (!result) await secure();
      return acceptedAnswer(id);
    } finally {
      expected.drop();
    }
  };
}
