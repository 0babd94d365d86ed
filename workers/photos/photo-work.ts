import { createHash } from 'node:crypto';
import type { Db as BossTransaction, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import { bindJobTransaction, polling } from '../../db/queue/boss.ts';
import { insertWrites } from '../../db/queue/send-writes.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import { linkPreviewDigest, type PhotoProblem } from '../../db/schema/photo.ts';
import { type LinkPreviewJob, type PhotoJob, queues } from '../../db/schema/queues.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import type { NewWrite } from '../../db/schema/write.ts';
import { deleteUpload, findUpload, saveLinkPreview, storeFiles } from '../../db/sql/photos.ts';
import { allowIdleTransaction } from '../../db/sql/transactions.ts';
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
  return {
    ...{ tenant_id, id, input, token_id: tokenId },
    ...{ resource: 'photos', action: 'create', record_id: null, expected_tags: null },
    ...{ idempotency_key: null, ignored: [], document: null },
    request_hash: createHash('sha256').update(JSON.stringify(input)).digest(),
  };
}

/** An upload that is refused is a write that has ended. */
async function refuse(
  tx: Db,
  write: NewWrite,
  problem: PhotoProblem,
  { maxWaitingWrites, resultHours }: Constants,
): Promise<void> {
  const submission = { maxWaiting: maxWaitingWrites, keyHours: resultHours, isFlushed: true };
  await submitWrites(tx, [write], submission);
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

async function finish(
  work: PhotoWork,
  job: PhotoJob & { retryCount: number },
  transaction: BossTransaction,
  tx: Db,
): Promise<void> {
  const { boss, constants, maxBytes } = work;
  const { tenant_id: tenantId, id } = job;
  const upload = await findUpload(tx, tenantId, id);
  if (!upload) return;
  await allowIdleTransaction(tx, constants.photoExpirySeconds);
  const made = await make(work, upload.content, job.retryCount);
  const write = writeOf(job, upload.token_id, made);
  if ('problem' in made) {
    await refuse(tx, write, made.problem, constants);
  } else if (await storeFiles(tx, tenantId, made.photo.external_id, made.files, maxBytes)) {
    const { submitted } = await insertWrites(boss, transaction, tx, [write], constants);
    if (!submitted[0]?.inserted) throw new Error('too many writes of the restaurant wait');
  } else {
    await refuse(tx, write, 'photoQuota', constants);
  }
  await deleteUpload(tx, tenantId, id);
}

/**
 * Makes photos of uploads, one at a time in a worker. An ordinary write then creates each of them.
 * Draws pictures for shared links, too.
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
  const work = { transactional: true, includeMetadata: true, ...polling(constants) } as const;
  const workId = await boss.work<PhotoJob, void, typeof work>(
    queues.photoUploads,
    work,
    async ([job], transaction) => {
      if (!job) return;
      const tx = bindJobTransaction(transaction, job.signal);
      await finish(photoWork, { ...job.data, retryCount: job.retryCount }, transaction, tx);
      // There may be more.
      boss.notifyWorker(workId);
    },
  );
  await startPreviewWork(db, boss, maker, constants);
  return maker;
}

/** Draws pictures for shared links. One that is there again is drawn again: it takes some 0.1 s. */
async function startPreviewWork(
  db: Db,
  boss: PgBoss,
  maker: PhotoMaker,
  constants: Constants,
): Promise<void> {
  const workId = await boss.work<LinkPreviewJob>(
    queues.linkPreviews,
    polling(constants),
    async ([job]) => {
      if (!job) return;
      const { tenant_id: tenantId, preview } = job.data;
      const content = await maker.draw(preview);
      await saveLinkPreview(db, tenantId, linkPreviewDigest(preview), content);
      // There may be more.
      boss.notifyWorker(workId);
    },
  );
}
