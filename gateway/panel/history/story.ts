import type { DiffRecord } from '../../../db/schema/import-diff.ts';
import type { Row } from '../../../db/schema/record.ts';
import { records, referencesFrom } from '../../../db/schema/registry.ts';
import type { Actor, Change } from '../../../db/schema/version.ts';
import type { Entry, StoryFilter } from '../../../db/sql/history.ts';
import { listNamed } from '../../../db/sql/listed-records.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { diffRecord } from '../import/diff-view.ts';
import { readSections, sectionName } from '../menu/section-tree.ts';
import { nameIn } from '../records/record-name.ts';
import { formPlace } from '../records/record-page.ts';
import { dateLocale } from '../texts/choose.ts';
import { HISTORY_PATH } from './read-filter.ts';

/** The names of records that others refer to, by `<resource>/<id>`. */
export type Names = ReadonlyMap<string, string>;

/** The present sections, types and wineries by their names, and those that differences name. */
export async function readNames(desk: Desk, changes: readonly Change[]): Promise<Names> {
  const { db, request } = desk;
  const names = new Map<string, string>();
  for (const { resource, id, name } of changes) if (name) names.set(`${resource}/${id}`, name);
  for (const collection of ['types', 'wineries', 'modifier_groups'] as const) {
    for (const { id, name } of await listNamed(db, collection, request.tenantId)) {
      names.set(`${collection}/${id}`, nameIn(name, request.language));
    }
  }
  for (const placed of await readSections(desk)) {
    names.set(`categories/${placed.section.id}`, sectionName(desk, placed));
  }
  return names;
}

/** A course of a set menu with the names of its dishes. */
function namedCourse(course: Row, nameOf: (id: unknown) => string | null): Row {
  const options = ((course.options ?? []) as Row[]).map(({ item_id, label, ...rest }) => ({
    ...rest,
    label: typeof item_id === 'number' ? nameOf(item_id) : label,
  }));
  return { ...course, options };
}

/** A change as the views of differences take it, with names in place of ids. */
export function toDiffRecord(change: Change, names: Names): DiffRecord {
  const { resource, name, action, fields } = change;
  const changes = { ...fields };
  for (const { field, to } of referencesFrom(records[resource])) {
    const pair = fields[field];
    if (!pair) continue;
    const nameOf = (id: unknown) =>
      id === null ? null : (names.get(`${to.resource}/${id}`) ?? `#${id}`);
    changes[field] = pair.map((value) => {
      if (!Array.isArray(value)) return nameOf(value);
      return value.map((one) => (typeof one === 'number' ? nameOf(one) : namedCourse(one, nameOf)));
    });
  }
  const outcome = action === 'changed' ? 'updated' : action;
  return { resource, outcome, path: '', row: null, name, within: null, changes, errors: {} };
}

/** Who made a version, in words. */
export function whoText(say: Say, { kind, name }: Actor): string {
  if (kind === 'user' && name !== null) return name;
  return say(`history.${kind}`, { name: name ?? '' });
}

/** The moment of an entry in the restaurant's time zone. */
export function atText(
  { request, session }: Desk,
  at: Date,
  style: 'day' | 'time' | 'both',
): string {
  return new Intl.DateTimeFormat(dateLocale(request.language), {
    ...(style !== 'time' && ({ dateStyle: style === 'day' ? 'full' : 'medium' } as const)),
    ...(style !== 'day' && ({ timeStyle: 'short' } as const)),
    timeZone: session.timezone,
  }).format(at);
}

export function entryPath({ head }: Entry): string {
  return `${HISTORY_PATH}/${head.version}?part=${head.part}`;
}

/** How many records of a difference a list shows. */
const SHOWN = 3;

/**
 * An entry in a list: when, who, how, and what.
 *
 * @param only the record that is shown; null for all of them
 */
export function entryItem(
  desk: Desk,
  entry: Entry,
  names: Names,
  only: StoryFilter['record'],
): Html {
  const { say } = desk.request;
  const { at, actor, origin, counts } = entry.head;
  const all: Change[] = entry.changes === null ? [] : JSON.parse(entry.changes);
  const isShown = ({ resource, id }: Change) => resource === only?.resource && id === only.id;
  const changes = only ? all.filter(isShown) : all;
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const writing = { say, place: formPlace(desk) };
  const shown = changes
    .slice(0, SHOWN)
    .map((change) => diffRecord(writing, toDiffRecord(change, names)));
  const rest = only && changes.length > 0 ? 0 : count - shown.length;
  return html`<li class="entry"><h3><a href="${entryPath(entry)}"><time datetime="${at.toISOString()}">${atText(desk, at, 'time')}</time></a> <bdi>${whoText(say, actor)}</bdi> <span class="mark">${say(`history.origins.${origin}`)}</span></h3>
${count === 0 ? html`<p class="hint">${say('history.nothing')}</p>` : html`<ul>${shown}</ul>`}
${rest > 0 && html`<p class="hint">${say('history.more', { n: rest })}</p>`}</li>`;
}
