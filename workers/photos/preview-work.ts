import type { PgBoss } from 'pg-boss';
import type { Db } from '../../db/postgres/sql.ts';
import { linkPreviewDigest } from '../../db/schema/link-preview.ts';
import { type LinkPreviewJob, queues } from '../../db/schema/queues.ts';
import { saveLinkPreview } from '../../db/sql/link-previews.ts';
import type { PhotoMaker } from './photo-maker.ts';

/** Draws pictures for shared links. One that is there again is drawn again: it takes some 0.1 s. */
export async function startPreviewWork(db: Db, boss: PgBoss, maker: PhotoMaker): Promise<void> {
  const workId = await boss.work<LinkPreviewJob>(queues.linkPreviews, async ([job]) => {
    if (!job) return;
    const { tenant_id: tenantId, preview } = job.data;
    const content = await maker.draw(preview);
    await saveLinkPreview(db, tenantId, linkPreviewDigest(preview), content);
    // There may be more.
    boss.notifyWorker(workId);
  });
}
