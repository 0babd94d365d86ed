import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import type { Visit } from '../visit.ts';
import { pageAnswer } from './page.ts';

/** A page that says one thing and leads back to the tokens. */
export function messagePage(
  visit: Visit,
  status: string,
  title: string,
  text: string,
  user: string | null,
): Answer {
  const content = html`<section class="card question">
<h1>${title}</h1>
<p>${text}</p>
<p><a class="button" href="/admin/api-tokens">${visit.texts.failures.back}</a></p>
</section>`;
  return pageAnswer(visit, { status, title, content, user });
}
