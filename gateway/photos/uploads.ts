import type { PgBoss } from 'pg-boss';
import { sendUpload as send } from '../../db/queue/send-upload.ts';
import type { Upload } from '../../db/sql/photos.ts';
import { UnavailableError, unavailable } from '../http/errors.ts';

/**
 * Keeps an upload and sends its job.
 *
 * @throws UnavailableError when too many of the restaurant wait, or Postgres does not answer
 */
export async function sendUpload(boss: PgBoss, upload: Upload): Promise<void> {
  const isSent = await send(boss, upload).catch(unavailable('could not hand a photo to the queue'));
  if (!isSent) throw new UnavailableError('too many photos of the restaurant wait');
}
