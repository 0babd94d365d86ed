import { constants } from '../../../db/runtime/constants.ts';
import { groupBy } from '../../../db/runtime/group-by.ts';
import { type Actor, changeActionSchema } from '../../../db/schema/version.ts';
import {
  findEntryOfJob,
  findVersion,
  type HistoryEntry,
  listActors,
  listStory,
  type StoryFilter,
} from '../../../db/sql/history.ts';
import { listUserLog, type UserLogActor, type UserLogEntry } from '../../../db/sql/users.ts';
import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import type { Desk } from '../desk.ts';
import { isFormId } from '../form.ts';
import { input, select } from '../forms/inputs.ts';
import { momentText } from '../pages/moment.ts';
import { redirectAnswer, titledPage } from '../pages/page.ts';
import { describeAction, PEOPLE_PATH } from '../people/people-page.ts';
import { mayOpen } from '../permission.ts';
import { messageNotice } from '../writes/message.ts';
import {
  entryItem,
  filterPath,
  HISTORY_PATH,
  personText,
  readFilter,
  readNames,
  whoText,
} from './story.ts';

/** Entries of whole versions: a version's writes stay on one page. */
function wholeVersions(found: readonly HistoryEntry[]) {
  const last = found[constants.storyEntries - 1]?.head.version;
  const shown = found.filter(
    ({ head }, index) => index < constants.storyEntries || head.version === last,
  );
  return { shown, hasMore: shown.length < found.length };
}

function filterForm({ say }: Desk, filter: StoryFilter, actors: readonly Actor[]): Html {
  const { actor, action, record, name } = filter;
  const everybody = { value: '', label: say('history.everybody') };
  const all = { value: '', label: say('history.all') };
  const people = actors.map((one) => ({
    value: `${one.kind}:${one.id ?? ''}`,
    label: whoText(say, one),
  }));
  const kinds = changeActionSchema.options.map((value) => ({
    value,
    label: say(`history.${value}`),
  }));
  const who = actor ? `${actor.kind}:${actor.id ?? ''}` : '';
  return html`<form class="row filter" method="get" action="${HISTORY_PATH}">
${record && html`<input type="hidden" name="record" value="${record.resource}:${record.id}">`}
${select({ name: 'who', label: say('history.person'), value: who }, [everybody, ...people])}
${select({ name: 'kind', label: say('history.kind'), value: action ?? '' }, [all, ...kinds])}
${input({ name: 'name', label: say('history.record'), value: name ?? '' })}
<button class="button">${say('history.filter')}</button></form>`;
}

/** The happenings, as lists of days. */
function days(desk: Desk, happenings: readonly { at: Date; item: Html }[]): Html[] {
  const ordered = [...happenings].sort((left, right) => right.at.getTime() - left.at.getTime());
  const byDay = groupBy(ordered, ({ at }) => momentText(desk, at, 'day'));
  return [...byDay].map(
    ([day, own]) => html`<section class="card part diff changed"><h2>${day}</h2>
<ul>${own.map(({ item }) => item)}</ul></section>`,
  );
}

/** The moment of a version; null where it is not kept. */
async function momentOf({ db, tenantId }: Desk, version: number | null): Promise<Date | null> {
  if (version === null) return null;
  const [entry] = await findVersion(db, tenantId, version);
  return entry?.head.at ?? null;
}

/** `GET /admin/history`: who changed what, day by day, or the page of one write. */
export async function showHistory(desk: Desk): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const { query } = request.context;
  const write = parseQuery(query).get('write') ?? '';
  const key = isFormId(write) ? await findEntryOfJob(db, tenantId, write) : null;
  if (key) return redirectAnswer(request, `${HISTORY_PATH}/${key.version}?part=${key.part}`);
  const filter = readFilter(query);
  const most = constants.storyEntries + constants.maxWritesPerRebuild;
  const found = await listStory(db, tenantId, filter, most);
  const { shown, hasMore } = wholeVersions(found);
  const changes = shown.flatMap((entry) =>
    entry.changes === null ? [] : JSON.parse(entry.changes),
  );
  const names = await readNames(desk, changes);
  const actors = await listActors(db, tenantId);
  const people = await readPeopleActions(desk, filter, actors, {
    from: hasMore ? (shown.at(-1)?.head.at ?? null) : null,
    before: await momentOf(desk, filter.before),
  });
  const { record } = filter;
  const happenings = [
    ...shown.map((entry) => ({ at: entry.head.at, item: entryItem(desk, entry, names, filter) })),
    ...people.map((entry) => ({ at: entry.at, item: peopleItem(desk, entry) })),
  ];
  const name = record && names.get(`${record.resource}/${record.id}`);
  const title = say('places.history');
  const older = { ...filter, before: shown.at(-1)?.head.version ?? null };
  const intro = name
    ? html`<bdi>${name}</bdi> · <a href="${HISTORY_PATH}">${say('history.everything')}</a>`
    : null;
  const content = html`<p class="intro">${say('history.intro')} <a href="/admin/menu/deleted">${say('lists.deleted')}</a></p>
${filterForm(desk, filter, actors)}
${happenings.length === 0 && html`<p class="hint">${say('history.empty')}</p>`}
${days(desk, happenings)}
${hasMore && html`<p class="row"><a class="button" href="${filterPath(older)}">${say('history.older')}</a></p>`}`;
  const state = { notice: await messageNotice(desk) };
  return titledPage(desk, { state, title, intro, content, place: 'history' });
}

/** The actor of the filter as the log of people names actors; null when it names none. */
function sameActor({ actor }: StoryFilter, actors: readonly Actor[]): UserLogActor | null {
  const found = actors.find(({ kind, id }) => kind === actor?.kind && id === actor.id);
  if (!found || found.kind === 'clock') return null;
  return { kind: found.kind, name: found.name };
}

/**
 * The actions on people in the time of a page: nothing for those who may not see people, and where
 * records are looked for.
 *
 * @param time of the entries that the page shows; null for no end
 */
async function readPeopleActions(
  { db, session, tenantId }: Desk,
  filter: StoryFilter,
  actors: readonly Actor[],
  time: { from: Date | null; before: Date | null },
): Promise<readonly UserLogEntry[]> {
  const { actor, action, record, name } = filter;
  if (action || record || name || !mayOpen(session.role, PEOPLE_PATH)) return [];
  const own = actor && sameActor(filter, actors);
  if (actor && !own) return [];
  const most = constants.maxPeopleEntries;
  return listUserLog(db, tenantId, most, { ...time, actor: own });
}

/** An action on people in the list of a day. */
function peopleItem(desk: Desk, entry: UserLogEntry): Html {
  const { actor, text } = describeAction(desk, entry);
  const { say } = desk;
  return html`<li class="entry"><h3><a href="${PEOPLE_PATH}"><time datetime="${entry.at.toISOString()}">${momentText(desk, entry.at, 'time')}</time></a> <bdi>${personText(actor)}</bdi> <span class="mark">${say('places.people')}</span></h3>
<p>${text}</p></li>`;
}
