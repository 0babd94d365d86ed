import { isOutage } from '../../../db/postgres/outage.ts';
import type { Session } from '../../../db/sql/sessions.ts';
import type { Answer } from '../../http/answer.ts';
import { NoFormError, TooLargeError, UnavailableError } from '../../http/errors.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { PLACES, type Place } from '../navigation.ts';
import type { PanelRequest } from '../panel-request.ts';
import { firstPage } from '../permission.ts';
import { retryAfter } from './fields.ts';
import { type Page, pageAnswer } from './page.ts';

/** A card that says something, with a link that leads on. */
function saying(title: string, texts: readonly string[], path: string, label: string): Html {
  return html`<section class="card question">
<h1>${title}</h1>
${texts.map((text) => html`<p>${text}</p>\n`)}<p><a class="button" href="${path}">${label}</a></p>
</section>`;
}

/** A page that says one thing and leads back to another page. */
export function messagePage(
  request: PanelRequest,
  status: string,
  title: string,
  text: string,
  user: Page['user'] | null,
  place: Place = 'tokens',
  headers: Record<string, string> = {},
): Answer {
  const { say } = request;
  const label = place === 'menu' ? 'editor.back' : PLACES[place].label;
  const back = place === 'tokens' ? say('failures.back') : say(label);
  const content = saying(title, [text], PLACES[place].path, back);
  return pageAnswer(request, { status, title, content, user, place, headers });
}

/** The page for a record that is not there, or no longer. */
export function gonePage({ request, session }: Desk, title: string, place: Place): Answer {
  return messagePage(request, '404 Not Found', title, title, session, place);
}

/** The page for an error that a client's mistake explains, or null when the fault is ours. */
export function mistakePage(request: PanelRequest, error: unknown): Answer | null {
  const { say } = request;
  const page = (status: string, text: 'tooLarge' | 'wrongType') =>
    messagePage(request, status, say(`failures.${text}Title`), say(`failures.${text}`), null);
  if (error instanceof TooLargeError) return page('413 Content Too Large', 'tooLarge');
  if (error instanceof NoFormError) return page('415 Unsupported Media Type', 'wrongType');
  return null;
}

/** The page for somebody who may not do what was asked for: it leads to their own first page. */
function refusedPage(request: PanelRequest, user: Session, title: string, texts: string[]): Answer {
  const content = saying(title, texts, firstPage(user.role), request.say('failures.first'));
  return pageAnswer(request, { status: '403 Forbidden', title, content, user });
}

/** The page for somebody whose role does not allow what was asked for. */
export function forbiddenPage(request: PanelRequest, user: Session): Answer {
  const { say } = request;
  return refusedPage(request, user, say('failures.forbiddenTitle'), [say('failures.forbidden')]);
}

/** The page for a form of a suspended restaurant: nothing of it is changed. */
export function suspendedPage(request: PanelRequest, user: Session): Answer {
  const { say, context } = request;
  const reason = context.restaurant.suspension?.reason ?? '';
  const texts = [reason, say('failures.notWhileSuspended')].filter((text) => text !== '');
  return refusedPage(request, user, say('failures.suspendedTitle'), texts);
}

/** The page for everything else: 503 while Postgres is away, 500 when we have made a mistake. */
export function failurePage(request: PanelRequest, error: unknown): Answer {
  const { say } = request;
  const isAway = error instanceof UnavailableError || isOutage(error);
  const status = isAway ? '503 Service Unavailable' : '500 Internal Server Error';
  return messagePage(
    request,
    status,
    say('failures.unavailableTitle'),
    isAway ? say('failures.unavailable') : `${say('failures.unavailable')} (${request.context.id})`,
    null,
  );
}

/** The page for somebody who asks for too much in a minute. @param wait in ms */
export function tooManyPages(request: PanelRequest, wait: number): Answer {
  const { say } = request;
  const text = say('failures.tooManyPages', { seconds: Math.ceil(wait / 1_000) });
  const title = say('failures.unavailableTitle');
  const headers = retryAfter(wait);
  return messagePage(request, '429 Too Many Requests', title, text, null, 'tokens', headers);
}

interface Secret {
  /** Of the element that holds it. */
  id: string;
  title: string;
  once: string;
  label: string;
  value: string;
  rows: number;
  advice: string | null;
  /** Of a link: its code for a phone. */
  code?: Html;
}

/** The banner with a new secret or link, which is on this page and on no other. */
export function secretBanner(
  { say }: PanelRequest,
  { id, title, once, label, value, rows, advice, code }: Secret,
): Html {
  const described = advice !== null && html` aria-describedby="${id}-advice"`;
  return html`<section class="${code ? 'reveal link' : 'reveal'}" aria-labelledby="reveal-title" tabindex="-1" autofocus>
  ${!code && html`<span class="key" aria-hidden="true"></span>`}
  <h2 id="reveal-title">${title}</h2>
  <p class="once">${once}</p>
  <div class="value">
    <label for="${id}">${label}</label>
    <textarea id="${id}" rows="${rows}" readonly spellcheck="false" autocomplete="off" translate="no"${described}>${value}</textarea>
    <button type="button" class="main" data-copy="${id}" data-copied="${say('reveal.copied')}" data-not-copied="${say('reveal.notCopied')}" hidden>${say('reveal.copy')}</button>
    <span class="copied" role="status"></span>
  </div>
  ${code ?? null}
  ${advice !== null && html`<p class="hint" id="${id}-advice">${advice}</p>`}
</section>`;
}
