import { constants } from '../../../db/runtime/constants.ts';
import type { Answer } from '../../http/answer.ts';
import { NoFormError, TooLargeError } from '../../http/errors.ts';
import { IMPORT_PATH } from '../import/import-page.ts';
import { carryOn, readParts } from '../import/read-upload.ts';
import { notice } from '../pages/fields.ts';
import { isFromOurPage, type PanelRequest } from '../panel-request.ts';
import { MAX_KEPT } from './kept-form.ts';
import { signInPage, untouchedSignInPage } from './sign-in-page.ts';

/** The fields that bring the file back; null when it is none that the sign-in page can keep. */
async function keptBody(request: PanelRequest): Promise<string | null> {
  const { headers, body } = request.context;
  const { maxBodyBytes } = constants;
  // A stranger's large body is neither waited for nor read.
  if (Number(headers.get('content-length') ?? 0) > maxBodyBytes) return null;
  try {
    if ((await body).length > maxBodyBytes) return null;
    const parts = await readParts(request);
    if (!isFromOurPage(request, parts.fields.get('form_token') ?? '')) return null;
    const fields = await carryOn(parts);
    const kept = new URLSearchParams(fields ?? {}).toString();
    return kept === '' || kept.length > MAX_KEPT ? null : kept;
  } catch (error) {
    if (error instanceof NoFormError || error instanceof TooLargeError) return null;
    throw error;
  }
}

/** For an upload without a session: the sign-in page, which keeps a file that is not too large. */
export async function keepUpload(request: PanelRequest): Promise<Answer> {
  const body = await keptBody(request);
  if (body !== null) {
    const purpose = { next: null, kept: { path: IMPORT_PATH, body } };
    return untouchedSignInPage({ ...request, purpose }, 'expired');
  }
  const purpose = { next: IMPORT_PATH, kept: null };
  const told = notice('bad', request.say('import.notKept'));
  return signInPage({ ...request, purpose }, { notice: told });
}
