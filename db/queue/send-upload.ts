import type { PgBoss } from 'pg-boss';
import { type PhotoJob, queues } from '../schema/queues.ts';
import { saveUpload, type Upload } from '../sql/photos.ts';
import { beginTransaction, bindJobTransaction } from './job-transaction.ts';

/** Keeps an upload and sends its job, in one transaction; false when too many uploads wait. */
export async function sendUpload(boss: PgBoss, upload: Upload): Promise<boolean> {
  const { tenantId, id } = upload;
  const { db, commit, rollback } = await beginTransaction(boss);
  try {
    const isSaved = await saveUpload(bindJobTransaction(db), upload);
    if (!isSaved) {
      await rollback();
      return false;
    }
    const data: PhotoJob = { tenant_id: tenantId, id };
    await boss.send(queues.photoUploads, data, { db });
    await commit();
    return true;
  } catch (error) {
    await rollback();
    throw error;
  }
}
