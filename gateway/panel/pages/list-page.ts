import type { ListedSession } from '../../../db/sql/sessions.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { actionForm } from './fields.ts';
import { momentText } from './moment.ts';
import { type Page, type PageState, titledPage } from './page.ts';

interface ListPage extends Pick<Page, 'title'> {
  place: 'chain' | 'hosts' | 'people' | 'releases' | 'screens' | 'tokens' | 'webhooks';
  /** Stands below the intro. */
  opening?: Content;
  /** The card with the form for a new record. */
  create: Html;
  list: Html;
  /** Stands below both. */
  after?: Content;
}

/** The card with the form for a new record. */
export function createCard(title: string, content: Content): Html {
  return html`<section class="card create" aria-labelledby="create-title">
<h2 id="create-title">${title}</h2>
${content}</section>`;
}

/**
 * The list of the records that there are.
 *
 * @param empty the text in place of an empty list
 * @param beside stands beside the title, and `after` below the list
 */
export function listSection(
  title: string,
  items: readonly Html[],
  empty: string,
  { beside, after = null }: { beside?: Html; after?: Content } = {},
): Html {
  const heading = html`<h2 id="list-title">${title}</h2>`;
  return html`<section class="list" aria-labelledby="list-title">
${beside ? html`<div class="list-head">${heading}${beside}</div>` : heading}
${items.length === 0 ? html`<p class="hint">${empty}</p>` : html`<ul class="tokens">${items}</ul>`}
${after}</section>`;
}

/** A page of the records of one kind: the form for a new one beside the list. */
export function listPage(desk: Desk, state: PageState, page: ListPage): Answer {
  const { create, list, after = null, ...head } = page;
  const content = html`<div class="columns">
${create}
${list}
</div>
${after}`;
  return titledPage(desk, { state, ...head, intro: desk.say(`${page.place}.intro`), content });
}

/**
 * Sessions with device and time, and a button to end each but the present one.
 *
 * @param action the path to which the forms go
 * @param endAllKey names the button that ends all but the present one
 */
export function sessionList(
  desk: Desk,
  action: string,
  sessions: readonly ListedSession[],
  endAllKey: 'account.endAll' | 'account.endAllOf' = 'account.endAll',
): Html {
  const { request, say } = desk;
  const items = sessions.map(({ id, device, created_at, used_at, is_current }) => {
    const name = device === '' ? say('account.device') : device;
    const dates = { begun: momentText(desk, created_at), used: momentText(desk, used_at) };
    const button = html`<input type="hidden" name="session" value="${id}">
<button class="quiet" aria-label="${say('account.end')}: ${name}">${say('account.end')}</button>`;
    const end = actionForm(request, action, 'end', button);
    const mark = is_current && html` <span class="hint">(${say('account.here')})</span>`;
    return html`<li><div><p>${name}${mark}</p><p class="hint">${say('account.since', dates)}</p></div>${!is_current && end}</li>`;
  });
  const others = sessions.filter(({ is_current }) => !is_current).length;
  const all = html`<button class="button">${say(endAllKey)}</button>`;
  const endAll = actionForm(request, action, 'end-all', all);
  return html`<ul class="rows">${items}</ul>${others > 0 && endAll}`;
}
