import type { Constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/with-timeout.ts';
import type { NewWrite } from '../../db/schema/write.ts';
import type { Answer } from '../http/answer.ts';
import { UnavailableError } from '../http/errors.ts';
import type { ReadJob } from './read-job.ts';
import type { SettleWrite } from './settle-write.ts';
import type { Submitter } from './submitter.ts';
import { acceptedAnswer, resultAnswer } from './write-answer.ts';

export interface PerformerOptions {
  settle: SettleWrite;
  submitter: Submitter;
  readJob: ReadJob;
  constants: Pick<Constants, 'writeTimeout'>;
}

/**
 * Hands a write to the queue, waits for its result and answers when this gateway shows it, or with 202
 * when that takes too long.
 *
 * @param isAsync whether the client asked not to wait
 * @throws UnavailableError, InvalidError as the submitter
 */
export type PerformWrite = (write: NewWrite, slug: string, isAsync: boolean) => Promise<Answer>;

const APPLIED = { 'Preference-Applied': 'respond-async' };

export function createPerformer(options: PerformerOptions): PerformWrite {
  const { settle, submitter, readJob, constants } = options;

  const accept = async (write: NewWrite, slug: string): Promise<Answer> => {
    const tenantId = write.tenant_id;
    const submitted = submitter.submit(write);
    const id = await withTimeout(constants.writeTimeout, submitted, () => null);
    if (id === null) throw new UnavailableError('the queue takes too long to accept a write');
    await submitter.secure({ tenantId, id });
    const isRepeated = id !== write.id;
    const known = isRepeated ? await readJob({ id: tenantId, slug }, id, null, APPLIED) : null;
    return known ?? acceptedAnswer(id, APPLIED);
  };

  return async (write, slug, isAsync) => {
    if (isAsync) return accept(write, slug);
    const { id, result } = await settle(write, slug);
    return result ? resultAnswer(result, write.ignored) : acceptedAnswer(id);
  };
}
