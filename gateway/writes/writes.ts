import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../../db/postgres/connection.ts';
import { sendUpload } from '../../db/queue/send-writes.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/running.ts';
import type { NewWrite } from '../../db/schema/write.ts';
import { findUploadSender, type Upload } from '../../db/sql/photos.ts';
import type { PanelLanguage } from '../../db/texts/catalogues.ts';
import type { Answer } from '../http/answer.ts';
import { UnavailableError, unavailable } from '../http/errors.ts';
import type { MediaOrigin } from '../snapshots/addressed.ts';
import type { Tenant } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { createResults, createSettler, type Results, type SentWrite } from './results.ts';
import { createSubmitter, type Submitter } from './submitter.ts';
import { acceptedAnswer, resultAnswer } from './write-answer.ts';

interface UploadRequest {
  isAsync: boolean;
  /** Names of its fields that were ignored. */
  ignored: readonly string[];
  /** Postgres has the photo: its bytes are no longer needed. */
  onStored(): void;
}

/** The restaurant, and the language in which errors of imports are told. */
export interface WriteReader {
  slug: string;
  language: PanelLanguage;
}

/** Hands writes to the queue and tells what they came to. */
export type Writes = ReturnType<typeof createWrites>;

interface WritesOptions {
  db: Database;
  boss: PgBoss;
  store: Pick<SnapshotStore, 'whenServed' | 'confirm'>;
  mediaOrigin: MediaOrigin;
  log: Logger;
  constants: Constants;
}

/** An upload is named as the write that will create its photo. */
type UploadWrite = SentWrite & { upload: Upload };

const APPLIED = { 'Preference-Applied': 'respond-async' };

export function createWrites(options: WritesOptions) {
  const { db, boss, store, mediaOrigin, log, constants } = options;
  const results = createResults({ db, log, confirm: store.confirm, constants });
  const submitter = createSubmitter(boss, db, constants);
  const findUpload = (tenantId: number, id: string) => findUploadSender(db, tenantId, id);
  const readJob = createJobReader(results, store, findUpload, mediaOrigin, constants);
  const settle = createSettler(submitter, results, store, constants);
  /** @throws UnavailableError when too many of the restaurant wait, or Postgres does not answer */
  const handOver = async (upload: Upload): Promise<void> => {
    const isSent = await sendUpload(boss, upload).catch(
      unavailable('could not hand a photo to the queue'),
    );
    if (!isSent) throw new UnavailableError('too many photos of the restaurant wait');
  };
  const uploads: Submitter<UploadWrite> = {
    submit: async ({ id, upload }) => {
      await handOver(upload);
      return id;
    },
    // The commit of an upload waits for the disk.
    secure: () => Promise.resolve(),
  };
  const settleUpload = createSettler(uploads, results, store, {
    writeTimeout: constants.uploadTimeout,
    writeSecuredAfter: constants.uploadTimeout,
  });

  /**
   * Hands a write to the queue, and returns the id of its job when it is safe.
   *
   * @throws UnavailableError, InvalidError as the submitter
   */
  const keep = async (write: NewWrite): Promise<string> => {
    const tenantId = write.tenant_id;
    const submitted = submitter.submit(write);
    const id = await withTimeout(constants.writeTimeout, submitted, () => null);
    if (id === null) throw new UnavailableError('the queue takes too long to accept a write');
    await submitter.secure({ tenantId, id });
    return id;
  };
  const accept = async (write: NewWrite, reader: WriteReader): Promise<Answer> => {
    const tenantId = write.tenant_id;
    const id = await keep(write);
    const isRepeated = id !== write.id;
    const known = isRepeated ? await readJob({ id: tenantId, ...reader }, id, null, APPLIED) : null;
    return known ?? acceptedAnswer(id, APPLIED);
  };

  return {
    /**
     * Hands a write to the queue, waits for its result and answers when this gateway shows it, or with
     * 202 when that takes too long.
     *
     * @param isAsync whether the client asked not to wait
     * @param onStored as of `Settle`
     * @throws UnavailableError, InvalidError as the submitter
     */
    perform: async (
      write: NewWrite,
      reader: WriteReader,
      isAsync: boolean,
      onStored?: () => void,
    ): Promise<Answer> => {
      if (isAsync) return accept(write, reader);
      const { slug, language } = reader;
      const { id, result } = await settle(write, slug, onStored);
      return result
        ? resultAnswer(result, write.ignored, mediaOrigin(slug), language)
        : acceptedAnswer(id);
    },
    settle,
    keep,
    /** As `perform` for a photo, whose files a worker makes first. */
    upload: async (upload: Upload, slug: string, { isAsync, ignored, onStored }: UploadRequest) => {
      if (isAsync) {
        await handOver(upload);
        return acceptedAnswer(upload.id, APPLIED);
      }
      const sent = { tenant_id: upload.tenantId, id: upload.id, upload };
      const { id, result } = await settleUpload(sent, slug, onStored);
      return result ? resultAnswer(result, ignored, mediaOrigin(slug), 'it') : acceptedAnswer(id);
    },
    settleUpload,
    readJob,
    onWrites: results.onNotice,
    /** Notices may have been missed. */
    reconcile: results.reconcile,
    stop: results.stop,
  };
}

/**
 * The present answer to a write, or null when there is no such write: 202 while it waits, then
 * the answer that its own request would have had.
 *
 * @param sender the token that must have sent it; null when it may be any
 * @param waiting headers for the 202
 * @throws UnavailableError when Postgres does not answer
 */
type ReadJob = (
  tenant: Pick<Tenant, 'id'> & WriteReader,
  id: string,
  sender: number | null,
  waiting?: Record<string, string>,
) => Promise<Answer | null>;

export function createJobReader(
  results: Results,
  store: Pick<SnapshotStore, 'whenServed'>,
  findUpload: (tenantId: number, id: string) => Promise<number | null>,
  mediaOrigin: MediaOrigin,
  constants: Pick<Constants, 'writeTimeout'>,
): ReadJob {
  return async (tenant, id, sender, waiting) => {
    const away = unavailable('could not look up a job');
    const find = () => results.find({ tenantId: tenant.id, id }).catch(away);
    let write = await find();
    const uploader = write ? null : await findUpload(tenant.id, id).catch(away);
    // A worker may have finished the upload between the two look-ups: then the write is there.
    write ??= uploader === null ? await find() : undefined;
    const sentBy = write?.token_id ?? uploader;
    if (sentBy === null || (sender !== null && sender !== sentBy)) return null;
    if (!write?.result) return acceptedAnswer(id, waiting);
    const served = store.whenServed(tenant.slug, write.result.version).then(() => true);
    const isServed = await withTimeout(constants.writeTimeout, served, () => false);
    return isServed
      ? resultAnswer(write.result, write.ignored, mediaOrigin(tenant.slug), tenant.language)
      : acceptedAnswer(id, waiting);
  };
}
