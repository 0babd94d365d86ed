import type { Answer } from '../../http/answer.ts';
import { html } from '../../http/html.ts';
import { PLACES, type Place } from '../navigation.ts';
import type { Visit } from '../visit.ts';
import { pageAnswer } from './page.ts';

/** A page that says one thing and leads back to another page. */
export function messagePage(
  visit: Visit,
  status: string,
  title: string,
  text: string,
  user: string | null,
  place: Place = 'tokens',
): Answer {
  const back = place === 'tokens' ? visit.texts.failures.back : visit.say(PLACES[place].label);
  const content = html`<section class="card question">
<h1>${title}</h1>
<p>${text}</p>
<p><a class="button" href="${PLACES[place].path}">${back}</a></p>
</section>`;
  return pageAnswer(visit, { status, title, content, user, place });
}
