import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import { inQueueTransaction, POLLING, type QueueTransaction } from '../../db/queue/boss.ts';
import { insertWrites } from '../../db/queue/send-writes.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { linkPreviewDigest, type PhotoProblem } from '../../db/schema/photo.ts';
import { type LinkPreviewJob, type PhotoJob, queues } from '../../db/schema/queues.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { type NewWrite, newWrite } from '../../db/schema/write.ts';
import { deleteUpload, findUpload, saveLinkPreview, storeFiles } from '../../db/sql/photos.ts';
import { saveResultsStatement, submitWrites } from '../../db/sql/writes.ts';
import type { MadePhoto } from './make-photo.ts';
import { createPhotoMaker, type PhotoMaker } from './photo-maker.ts';

interface PhotoWork {
  boss: PgBoss;
  maker: PhotoMaker;
  log: Logger;
  /** Of a restaurant's photos. */
  maxBytes: number;
  constants: Constants;
}

function writeOf({ tenant_id, id }: PhotoJob, tokenId: number, made: MadePhoto): NewWrite {
  const input = 'photo' in made ? made.photo : {};
  const asked = { resource: 'photos', action: 'create', input } as const;
  return newWrite({ ...asked, tenant_id, id, token_id: tokenId }, JSON.stringify(input));
}

/** An upload was taken: it keeps its place where as many other writes wait as may. */
const placeOf = ({ maxWaitingWrites, maxWaitingUploads, resultHours }: Constants) => ({
  maxWaitingWrites: maxWaitingWrites + maxWaitingUploads,
  resultHours,
});

/** An upload that is refused is a write that has ended. */
async function refuse(tx: Db, write: NewWrite, problem: PhotoProblem, constants: Constants) {
  const { maxWaitingWrites: maxWaiting, resultHours: keyHours } = placeOf(constants);
  await submitWrites(tx, [write], { maxWaiting, keyHours, isFlushed: true });
  const outcome = { kind: 'invalid' as const, errors: { file: [broken(problem)] } };
  const { id, resource, record_id, tenant_id: tenantId } = write;
  const result = { id, resource, record_id, outcome, version: 0, error: null };
  await tx.run(saveResultsStatement([{ tenantId, results: [result] }]));
}

/** A file that ends the process again and again is broken in a way that the decoder does not see. */
async function make(
  { maker, log, constants }: PhotoWork,
  content: Buffer,
  retryCount: number,
): Promise<MadePhoto> {
  try {
    return await maker.make(content);
  } catch (error) {
    if (retryCount < constants.photoRetries) throw error;
    log.error({ err: error }, 'an upload ended the process that makes photos; it is refused');
    return { problem: 'photoBroken' };
  }
}

/** Stores the files of a photo, and sends the write that creates it. */
async function store(
  { boss, constants, maxBytes }: PhotoWork,
  write: NewWrite,
  made: MadePhoto,
  signal: AbortSignal,
): Promise<void> {
  const { tenant_id: tenantId, id } = write;
  const work = async ({ db, tx, commit }: QueueTransaction) => {
    // Another worker may have finished it, when this one was thought to be dead.
    const isWaiting = await deleteUpload(tx, tenantId, id);
    if (!isWaiting) return;
    if ('problem' in made) {
      await refuse(tx, write, made.problem, constants);
    } else if (await storeFiles(tx, tenantId, made.photo.external_id, made.files, maxBytes)) {
      await insertWrites(boss, db, tx, [write], placeOf(constants));
    } else {
      await refuse(tx, write, 'photoQuota', constants);
    }
    await commit();
  };
  await inQueueTransaction(boss, work, signal);
}

/**
 * Makes photos of uploads, one at a time in a worker. An ordinary write then creates each of them. No
 * transaction is open while a photo is made. Draws pictures for shared links, too, in a process of
 * their own, so that they do not wait for uploads.
 */
export async function startPhotoWork(
  db: Db,
  boss: PgBoss,
  photosMb: number,
  log: Logger,
  constants: Constants,
): Promise<Running> {
  const maker = createPhotoMaker(constants);
  const photoWork: PhotoWork = { boss, maker, log, maxBytes: photosMb * 1_048_576, constants };
  const work = { includeMetadata: true, ...POLLING } as const;
  const workId = await boss.work<PhotoJob, void>(queues.photoUploads, work, async ([job]) => {
    if (!job) return;
    const { data, retryCount, signal } = job;
    const upload = await findUpload(db, data.tenant_id, data.id);
    if (upload) {
      const made = await make(photoWork, upload.content, retryCount);
      await store(photoWork, writeOf(data, upload.token_id, made), made, signal);
    }
    // There may be more.
    boss.notifyWorker(workId);
  });
  const previewMaker = createPhotoMaker(constants);
  await startPreviewWork(db, boss, previewMaker);
  return stopOnce(async () => {
    await Promise.all([maker.stop(), previewMaker.stop()]);
  });
}

/** Draws pictures for shared links. One that is there again is drawn again: it takes some 0.1 s. */
async function startPreviewWork(db: Db, boss: PgBoss, maker: PhotoMaker) {
  const workId = await boss.work<LinkPreviewJob>(queues.linkPreviews, POLLING, async ([job]) => {
    if (!job) return;
    const { tenant_id: tenantId, preview } = job.data;
    const content = await maker.draw(preview);
    await saveLinkPreview(db, tenantId, linkPreviewDigest(preview), content);
    // There may be more.
    boss.notifyWorker(workId);
  });
}
