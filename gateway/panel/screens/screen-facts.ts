import type { Screen } from '../../../db/sql/screens.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { momentElement } from '../pages/moment.ts';

/** The state of a screen as a word in a box. */
export function screenState({ request }: Desk, { state }: Screen): Html {
  const kind = state === 'here' ? 'active' : 'due';
  return html`<span class="state ${kind}">${request.say(`screens.${state}`)}</span>`;
}

/** When it was seen last, or since when it is away, what it shows, and how large it is. */
export function screenFacts(desk: Desk, screen: Screen, latest: number): Html {
  const { say } = desk.request;
  const { state, version, width, height, last_seen_at } = screen;
  const fact = (label: string, value: Content) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const shown =
    version === latest
      ? say('screens.current')
      : say('screens.behind', { version: version ?? 0, latest });
  const since = say(state === 'here' ? 'screens.lastSeen' : 'screens.awaySince');
  return html`<dl class="facts">
    ${fact(since, momentElement(desk, new Date(last_seen_at)))}
    ${version !== null && fact(say('screens.version'), shown)}
    ${width !== null && height !== null && fact(say('screens.size'), `${width} × ${height}`)}
  </dl>`;
}
