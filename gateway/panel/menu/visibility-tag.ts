import { type Visibility, visibilityAt } from '../../../db/schema/visibility.ts';
import { localTime } from '../../analytics/local-time.ts';
import { type Content, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { momentText } from '../pages/moment.ts';

/** Says that guests do not see a record yet or any more, or until when they see it. */
export function visibilityTag(desk: Desk, record: Visibility): Content {
  const { say } = desk.request;
  const { visible_from: from, visible_until: end } = record;
  const state = visibilityAt(record, new Date(desk.now()));
  const at = (moment: string | null) => momentText(desk, moment ?? '');
  if (state === 'over')
    return html`<span class="tag">${say('menu.visibleOver', { at: at(end) })}</span>`;
  if (state === 'later')
    return html`<span class="tag">${say('menu.visibleLater', { at: at(from) })}</span>`;
  return (
    end !== null && html`<span class="tag">${say('menu.visibleUntil', { at: at(end) })}</span>`
  );
}

/** Says that a section is out of its dates today. */
export function datesTag(
  { request, session, now }: Desk,
  { date_start: first, date_end: last }: { date_start: string | null; date_end: string | null },
): Content {
  const { day } = localTime(session.timezone, now());
  const isOut = (first !== null && first > day) || (last !== null && last < day);
  return isOut && html`<span class="tag">${request.say('menu.outOfDates')}</span>`;
}
