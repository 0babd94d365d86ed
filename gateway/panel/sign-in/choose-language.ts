import { isPanelLanguage } from '../../../db/texts/catalogues.ts';
import { sayIn } from '../../../db/texts/say.ts';
import type { Answer } from '../../http/answer.ts';
import { backPath } from '../language.ts';
import { redirectAnswer } from '../pages/page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { setLanguageCookie } from '../texts/choose.ts';
import { readPurposeForm } from './kept-form.ts';
import { untouchedSignInPage } from './sign-in-page.ts';

/**
 * `POST /admin/language`: it changes nothing but a cookie. The sign-in page that keeps a form comes back
 * with what it keeps.
 */
export async function chooseLanguage(request: PanelRequest): Promise<Answer> {
  const { form, purpose } = await readPurposeForm(request);
  const chosen = form.text('language');
  const cookies = isPanelLanguage(chosen) ? [setLanguageCookie(chosen, request.secure)] : [];
  if (!purpose.kept) {
    return redirectAnswer(request, backPath(form.text('back')), cookies);
  }
  const spoken = isPanelLanguage(chosen) && { language: chosen, say: sayIn(chosen) };
  return untouchedSignInPage({ ...request, ...spoken, purpose }, 'expired', cookies);
}
