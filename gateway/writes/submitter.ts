import type { PgBoss } from 'pg-boss';
import type { Db } from '../../db/postgres/sql.ts';
import { sendWrites } from '../../db/queue/send-writes.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import type { NewWrite } from '../../db/schema/write.ts';
import {
  findWriteByKey,
  type Submitted,
  secureWrites,
  type WriteKey,
} from '../../db/sql/writes.ts';
import { InvalidError, UnavailableError, unavailable } from '../http/errors.ts';
import { createBatcher } from '../runtime/batcher.ts';

/** Writes that a gateway hands to the queue in one transaction. */
const MAX_WRITES_PER_SUBMIT = 100;

export interface Submitter<W = NewWrite> {
  /**
   * Hands a write to the queue and returns its id: its own, or that of the earlier write which the
   * same request sent under the same idempotency key.
   *
   * @throws UnavailableError when the tenant's queue is full or Postgres does not answer
   * @throws InvalidError when the idempotency key was used for another request
   */
  submit(write: W): Promise<string>;
  /**
   * Resolves when a write that was handed over is safe, whatever happens to Postgres.
   *
   * @throws UnavailableError when Postgres does not answer, or has lost the write
   */
  secure(key: WriteKey): Promise<void>;
}

type SubmitterConstants = Pick<Constants, 'readTimeout' | 'maxWaitingWrites' | 'resultHours'>;

export function createSubmitter(boss: PgBoss, db: Db, constants: SubmitterConstants): Submitter {
  const limits = { maxItems: MAX_WRITES_PER_SUBMIT, timeout: constants.readTimeout };
  const ownerOf = ({ tenant_id }: NewWrite) => tenant_id;
  const submitAll = (writes: readonly NewWrite[], isOverdue: () => boolean) =>
    sendWrites(boss, writes, isOverdue, constants);
  const send = createBatcher<NewWrite, Submitted>({ ...limits, ownerOf }, submitAll);
  // It takes Postgres long to store a whole menu: the writes of others do not wait for it.
  const sendDocument = createBatcher<NewWrite, Submitted>(
    { ...limits, ownerOf, maxItems: 1 },
    submitAll,
  );
  const isSecured = createBatcher<WriteKey, boolean>(limits, async (keys) => {
    const present = await secureWrites(db, keys);
    return keys.map(({ id }) => present.has(id));
  });
  const away = unavailable('could not hand a write to the queue');
  return {
    submit: async (write) => {
      const submitted = await (write.document ? sendDocument : send)(write).catch(away);
      if (submitted.inserted) return write.id;
      const earlier =
        write.idempotency_key === null ? null : await findWriteByKey(db, write).catch(away);
      if (!earlier) {
        throw new UnavailableError(
          submitted.full
            ? 'too many writes of the tenant wait'
            : 'the write of an idempotency key has just expired',
        );
      }
      if (!earlier.request_hash.equals(write.request_hash)) {
        throw new InvalidError({ idempotency_key: [broken('keyReused')] });
      }
      return earlier.id;
    },
    secure: async (key) => {
      if (!(await isSecured(key).catch(away))) throw new UnavailableError('a write was lost');
    },
  };
}
