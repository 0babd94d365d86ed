import { constants } from '../../../db/runtime/constants.ts';
import { TooLargeError } from '../../http/errors.ts';
import { type Content, html } from '../../http/html.ts';
import { type Form, readForm } from '../form.ts';
import { isPanelPath } from '../navigation.ts';
import { isFromOurPage, type PanelRequest, type Purpose } from '../panel-request.ts';

/** Longest form that is kept, in bytes. */
export const MAX_KEPT = 131_072;

/** Letters and digits: they need no escape in the page, and are sent as they are. */
function pack(body: string): string {
  return Buffer.from(body).toString('base64url');
}

function unpack(packed: string): string {
  return packed.length > MAX_KEPT * 2 ? '' : Buffer.from(packed, 'base64url').toString();
}

/** Hidden fields of the sign-in form. */
export function purposeFields({ next, kept }: Purpose): Content {
  return html`${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${kept && html`<input type="hidden" name="kept_path" value="${kept.path}"><input type="hidden" name="kept" value="${pack(kept.body)}">`}`;
}

/**
 * Reads a form that was sent with the hidden fields.
 *
 * @throws NoFormError, TooLargeError
 */
export async function readPurposeForm(
  request: PanelRequest,
): Promise<{ form: Form; purpose: Purpose }> {
  const form = await readForm(request.context, constants.maxRecordFormBytes);
  const [next, path] = [form.text('next'), form.text('kept_path')];
  const body = unpack(form.secret('kept'));
  const isKept =
    isPanelPath(path) &&
    body !== '' &&
    body.length <= MAX_KEPT &&
    isFromOurPage(request, form.text('form_token'));
  const { length } = await request.context.body;
  // Only a form that is kept makes this one long.
  if (!isKept && length > constants.maxFormBytes) throw new TooLargeError();
  const purpose = { next: isPanelPath(next) ? next : null, kept: isKept ? { path, body } : null };
  return { form, purpose };
}
