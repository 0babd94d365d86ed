import { parseRecordId } from '../../../db/schema/record-id.ts';
import { drawReleasePreview } from '../../display/release-preview.ts';
import type { Answer } from '../../http/answer.ts';
import { UnavailableError } from '../../http/errors.ts';
import type { Desk } from '../desk.ts';
import { messagePage } from '../pages/message-page.ts';
import { notFoundPage } from '../records/show-record.ts';

/** `GET /admin/releases/{id}/preview`: the menu as guests will see it. */
export async function showReleasePreview(desk: Desk): Promise<Answer> {
  const { request, store, session } = desk;
  const { context, say } = request;
  const id = parseRecordId(context.param);
  const snapshot = await store.find(context.front.tenant.slug, null);
  if (id === null || !snapshot) return notFoundPage(desk);
  try {
    const drawn = await drawReleasePreview(desk, snapshot.tenant, { id }, context);
    return drawn ?? notFoundPage(desk);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    const text = say('releases.wait');
    return messagePage(request, '503 Service Unavailable', text, text, session, 'releases');
  }
}
