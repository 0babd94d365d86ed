import type { Session } from '../../../db/sql/sessions.ts';
import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import { PLACES, type Place } from '../navigation.ts';
import type { PanelRequest } from '../panel-request.ts';
import { pageAnswer } from './page.ts';

/** A page that says one thing and leads back to another page. */
export function messagePage(
  request: PanelRequest,
  status: string,
  title: string,
  text: string,
  user: Pick<Session, 'email' | 'role'> | null,
  place: Place = 'tokens',
  headers: Record<string, string> = {},
): Answer {
  const { say } = request;
  const label = place === 'menu' ? 'editor.back' : PLACES[place].label;
  const back = place === 'tokens' ? say('failures.back') : say(label);
  const content = html`<section class="card question">
<h1>${title}</h1>
<p>${text}</p>
<p><a class="button" href="${PLACES[place].path}">${back}</a></p>
</section>`;
  return pageAnswer(request, { status, title, content, user, place, headers });
}
