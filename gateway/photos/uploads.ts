import type { PgBoss } from 'pg-boss';
import { beginTransaction, bindJobTransaction } from '../../db/queue/job-transaction.ts';
import { type PhotoJob, queues } from '../../db/schema/queues.ts';
import { saveUpload, type Upload } from '../../db/sql/photos.ts';
import { UnavailableError, unavailable } from '../http/errors.ts';

/**
 * Keeps an upload and sends its job, in one transaction.
 *
 * @throws UnavailableError when too many of the restaurant wait, or Postgres does not answer
 */
export async function sendUpload(boss: PgBoss, upload: Upload): Promise<void> {
  const { tenantId, id } = upload;
  const away = unavailable('could not hand a photo to the queue');
  const { db, commit, rollback } = await beginTransaction(boss).catch(away);
  try {
    const isSaved = await saveUpload(bindJobTransaction(db), upload);
    if (!isSaved) throw new UnavailableError('too many photos of the restaurant wait');
    const data: PhotoJob = { tenant_id: tenantId, id };
    await boss.send(queues.photoUploads, data, { db });
    await commit();
  } catch (error) {
    await rollback();
    away(error);
  }
}
