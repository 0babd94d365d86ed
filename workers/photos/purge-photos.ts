import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { v7 as uuidV7 } from 'uuid';
import type { Db } from '../../db/postgres/sql.ts';
import { sendWrites } from '../../db/queue/send-writes.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { NewWrite } from '../../db/schema/write.ts';
import { findUnusedPhotos, forgetFiles, forgetUploads, notePhotoUse } from '../../db/sql/photos.ts';
import { type GoesOn, removeAll } from '../housekeeping/rounds.ts';

/** The write that deletes a photo, as an operator sends it. */
function deletionOf({ tenant_id, id }: { tenant_id: number; id: number }): NewWrite {
  return {
    ...{
      tenant_id,
      id: uuidV7(),
      token_id: 0,
      resource: 'photos',
      action: 'delete',
      record_id: id,
    },
    ...{ input: {}, expected_tags: null, idempotency_key: null, ignored: [], document: null },
    request_hash: createHash('sha256').update(`unused photo ${id}`).digest(),
  };
}

/**
 * One round: deletes photos that nothing has named for `unusedPhotoDays`. It sends ordinary writes, so
 * they can be restored. Forgets unfinished uploads, and files of photos that are gone for good.
 */
export async function purgePhotos(
  db: Db,
  boss: PgBoss,
  goesOn: GoesOn,
  constants: Constants,
): Promise<void> {
  await notePhotoUse(db);
  const unused = await findUnusedPhotos(db);
  if (unused.length > 0) await sendWrites(boss, unused.map(deletionOf), () => false, constants);
  for (const forget of [forgetUploads, forgetFiles]) await removeAll(() => forget(db), goesOn);
}
