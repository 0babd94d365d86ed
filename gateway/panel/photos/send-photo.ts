import { v7 as uuidV7 } from 'uuid';
import { constants } from '../../../db/runtime/constants.ts';
import { sniffPhoto } from '../../../db/schema/photo.ts';
import { type Broken, broken } from '../../../db/schema/validation/rule.ts';
import type { FormFile } from '../../http/multipart.ts';
import type { Desk } from '../desk.ts';
import { sayBroken } from '../texts/rules.ts';
import { asFailed } from '../writes/send-write.ts';

/** The result of a file: its photo's id, a reason in words, or nothing yet. */
export type SentPhoto =
  | { kind: 'done'; id: number }
  | { kind: 'refused'; text: string }
  | { kind: 'waiting' | 'failed' };

function troubleOf(content: Buffer): Broken | null {
  if (content.length === 0) return broken('required');
  if (content.length > constants.maxPhotoBytes) return broken('photoSize');
  const sniffed = sniffPhoto(content);
  return 'problem' in sniffed ? broken(sniffed.problem) : null;
}

/** Uploads a file and waits until its photo is there. */
export async function sendPhoto(
  { request, session, writes, bound }: Desk,
  { bytes }: FormFile,
): Promise<SentPhoto> {
  const { say, tenantId, context } = request;
  const trouble = troubleOf(bytes);
  if (trouble) return { kind: 'refused', text: sayBroken(say, trouble) };
  if (bound.take(tenantId) > 0) return { kind: 'failed' };
  const id = uuidV7();
  const upload = { tenantId, id, tokenId: -session.user_id, content: bytes };
  const settled = await writes
    .settleUpload({ tenant_id: tenantId, id, upload }, context.front.tenant.slug)
    .catch(asFailed);
  if ('kind' in settled) return settled;
  if (settled.result === null) return { kind: 'waiting' };
  const { outcome, record_id } = settled.result;
  if (outcome.kind === 'invalid') {
    const [first] = Object.values(outcome.errors).flat();
    return { kind: 'refused', text: first ? sayBroken(say, first) : '' };
  }
  return record_id === null ? { kind: 'failed' } : { kind: 'done', id: record_id };
}
