import type { Constants } from '../../db/runtime/constants.ts';
import { withTimeout } from '../../db/runtime/with-timeout.ts';
import type { Answer } from '../http/answer.ts';
import { unavailable } from '../http/errors.ts';
import type { Tenant } from '../snapshots/loaded-snapshot.ts';
import type { MediaOrigin } from '../snapshots/media-origin.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import type { Results } from './results.ts';
import { acceptedAnswer, resultAnswer } from './write-answer.ts';

/**
 * The present answer to a write, or null when there is no such write: 202 while it waits, then
 * the answer that its own request would have had.
 *
 * @param sender the token that must have sent it; null when it may be any
 * @param waiting headers for the 202
 * @throws UnavailableError when Postgres does not answer
 */
export type ReadJob = (
  tenant: Pick<Tenant, 'id' | 'slug'>,
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
      ? resultAnswer(write.result, write.ignored, mediaOrigin(tenant.slug))
      : acceptedAnswer(id, waiting);
  };
}
