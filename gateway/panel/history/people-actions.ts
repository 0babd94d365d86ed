import { constants } from '../../../db/runtime/constants.ts';
import type { Actor } from '../../../db/schema/version.ts';
import type { StoryFilter } from '../../../db/sql/history.ts';
import { listPeopleLog, type PeopleActor, type PeopleEntry } from '../../../db/sql/people-log.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { describeAction } from '../people/describe-action.ts';
import { PEOPLE_PATH } from '../people/people-page.ts';
import { mayOpen } from '../permission.ts';
import { atText } from './story.ts';

/** The time of the entries that a page shows; null for no end. */
export interface PageTime {
  from: Date | null;
  before: Date | null;
}

/** The actor of the filter as the log of people names actors; null when it names none. */
function sameActor({ actor }: StoryFilter, actors: readonly Actor[]): PeopleActor | null {
  const found = actors.find(({ kind, id }) => kind === actor?.kind && id === actor.id);
  if (!found || found.kind === 'clock') return null;
  return { kind: found.kind, name: found.name };
}

/**
 * The actions on people in the time of a page: nothing for those who may not see people, and where
 * records are looked for.
 */
export async function readPeopleActions(
  { db, request, session }: Desk,
  filter: StoryFilter,
  actors: readonly Actor[],
  time: PageTime,
): Promise<readonly PeopleEntry[]> {
  const { actor, action, record, name } = filter;
  if (action || record || name || !mayOpen(session.role, PEOPLE_PATH)) return [];
  const own = actor && sameActor(filter, actors);
  if (actor && !own) return [];
  const most = constants.maxPeopleEntries;
  return listPeopleLog(db, request.tenantId, most, { ...time, actor: own });
}

/** An action on people in the list of a day. */
export function peopleItem(desk: Desk, entry: PeopleEntry): Html {
  const { actor, text } = describeAction(desk, entry);
  const { say } = desk.request;
  return html`<li class="entry"><h3><a href="${PEOPLE_PATH}"><time datetime="${entry.at.toISOString()}">${atText(desk, entry.at, 'time')}</time></a> <bdi>${actor}</bdi> <span class="mark">${say('places.people')}</span></h3>
<p>${text}</p></li>`;
}
