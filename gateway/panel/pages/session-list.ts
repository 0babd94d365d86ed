import type { ListedSession } from '../../../db/sql/sessions.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { hiddenFields } from './fields.ts';
import { momentText } from './moment.ts';

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
  const { request } = desk;
  const { say } = request;
  const items = sessions.map(({ id, device, created_at, used_at, is_current }) => {
    const name = device === '' ? say('account.device') : device;
    const dates = { begun: momentText(desk, created_at), used: momentText(desk, used_at) };
    const end = html`<form method="post" action="${action}">${hiddenFields(request)}
<input type="hidden" name="do" value="end"><input type="hidden" name="session" value="${id}">
<button class="quiet" aria-label="${say('account.end')}: ${name}">${say('account.end')}</button></form>`;
    const mark = is_current && html` <span class="hint">(${say('account.here')})</span>`;
    return html`<li><div><p>${name}${mark}</p><p class="hint">${say('account.since', dates)}</p></div>${!is_current && end}</li>`;
  });
  const others = sessions.filter(({ is_current }) => !is_current).length;
  const endAll = html`<form method="post" action="${action}">${hiddenFields(request)}
<input type="hidden" name="do" value="end-all"><button class="button">${say(endAllKey)}</button></form>`;
  return html`<ul class="rows">${items}</ul>${others > 0 && endAll}`;
}
