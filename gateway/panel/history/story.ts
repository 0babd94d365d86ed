import type { DiffRecord } from '../../../db/schema/bulk.ts';
import { idsIn } from '../../../db/schema/references.ts';
import { MENU_COLLECTIONS, records, referencesFrom } from '../../../db/schema/registry.ts';
import { localize, readingIn, type Translations } from '../../../db/schema/values/locale.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import { type Row, rowsIn } from '../../../db/schema/values/row.ts';
import {
  type Actor,
  actorSchema,
  type Change,
  changeActionSchema,
} from '../../../db/schema/version.ts';
import type { HistoryEntry, StoryFilter } from '../../../db/sql/history.ts';
import { findNames, listNamed } from '../../../db/sql/listed-records.ts';
import type { Say } from '../../../db/texts/say.ts';
import { type Html, html } from '../../http/html.ts';
import { parseQuery } from '../../http/query.ts';
import type { Desk } from '../desk.ts';
import { diffRecord } from '../import/diff-view.ts';
import { momentText } from '../pages/moment.ts';
import { formPlace } from '../records/record-page.ts';
import { nameIn } from '../texts/choose.ts';
import { readSections, sectionName } from '../writes/move.ts';

export const HISTORY_PATH = '/admin/history';
/** The length of a name that is looked for, in characters. */
const MAX_NAME = 100;

/** The filter that a page's address names; what it names wrongly counts as not there. */
export function readFilter(query: string): StoryFilter {
  const asked = parseQuery(query);
  const [kind = '', actorId = ''] = (asked.get('who') ?? '').split(':');
  const [resource = '', recordId = ''] = (asked.get('record') ?? '').split(':');
  const known = actorSchema.entries.kind.pipe[0].options.find((one) => one === kind);
  const collection = MENU_COLLECTIONS.find((one) => one === resource);
  const id = parseRecordId(recordId);
  return {
    before: parseRecordId(asked.get('before') ?? ''),
    actor: known ? { kind: known, id: parseRecordId(actorId) } : null,
    action: changeActionSchema.options.find((one) => one === asked.get('kind')) ?? null,
    record: collection && id !== null ? { resource: collection, id } : null,
    name: (asked.get('name') ?? '').trim().slice(0, MAX_NAME) || null,
  };
}

/** The address of a page with a filter. */
export function filterPath({ before, actor, action, record, name }: StoryFilter): string {
  const query = new URLSearchParams({
    ...(actor && { who: `${actor.kind}:${actor.id ?? ''}` }),
    ...(action && { kind: action }),
    ...(record && { record: `${record.resource}:${record.id}` }),
    ...(name !== null && { name }),
    ...(before !== null && { before: String(before) }),
  }).toString();
  return query === '' ? HISTORY_PATH : `${HISTORY_PATH}?${query}`;
}

/**
 * Names of records in the reader's language: by `<resource>/<id>` the present ones, and behind that and
 * another `/` by the name that the history keeps, as long as the record is called so.
 */
export type Names = ReadonlyMap<string, string>;

function idsOf(changes: readonly Change[], kind: Resource): number[] {
  const named = changes.flatMap(({ resource, id, fields }) => {
    const own = resource === kind ? [id] : [];
    const references = referencesFrom(records[resource]).filter(({ to }) => to.resource === kind);
    return [...own, ...references.flatMap(({ field }) => (fields[field] ?? []).flatMap(idsIn))];
  });
  return [...new Set(named.filter((id) => id !== null))];
}

/** The present names of records that differences have or name. */
export async function readNames(desk: Desk, changes: readonly Change[]): Promise<Names> {
  const { db, request, tenantId } = desk;
  const { language, context } = request;
  const kept = readingIn(context.restaurant.tenant.defaultLocale);
  const names = new Map<string, string>();
  const add = (record: string, name: string | Translations, shown = nameIn(name, language)) => {
    names.set(record, shown);
    names.set(`${record}/${typeof name === 'string' ? name : localize(name, kept)}`, shown);
  };
  for (const { resource, id, name } of changes) if (name) names.set(`${resource}/${id}`, name);
  for (const kind of ['items', 'photos'] as const) {
    for (const { id, name } of await findNames(db, kind, tenantId, idsOf(changes, kind))) {
      if (Object.keys(name).length > 0) add(`${kind}/${id}`, name);
    }
  }
  for (const collection of ['types', 'wineries', 'modifier_groups'] as const) {
    for (const { id, name } of await listNamed(db, collection, tenantId)) {
      add(`${collection}/${id}`, name);
    }
  }
  for (const placed of await readSections(desk)) {
    const { id, name_translations } = placed.section;
    add(`categories/${id}`, name_translations, sectionName(desk, placed));
  }
  return names;
}

/** The name that a record had then, in the reader's language where that is known. */
function nameThen({ resource, id, name, fields }: Change, names: Names): DiffRecord['name'] {
  const [before, after] = (fields.name ?? []) as (Translations | null)[];
  const then = names.get(`${resource}/${id}/${name}`) ?? after ?? before ?? name;
  // A photo has no name: it is called as what it shows now.
  return then ?? (resource === 'photos' ? (names.get(`photos/${id}`) ?? null) : null);
}

/** A course of a set menu with the names of its dishes. */
function namedCourse(course: Row, nameOf: (id: unknown) => string | null): Row {
  const options = rowsIn(course.options).map(({ item_id, label, ...rest }) => ({
    ...rest,
    label: typeof item_id === 'number' ? nameOf(item_id) : label,
  }));
  return { ...course, options };
}

/** A record without a name, in words. */
export function numbered(say: Say, resource: Resource, id: unknown): string {
  return resource === 'photos'
    ? say('photos.numbered', { n: String(id) })
    : `${say(records[resource].label)} ${id}`;
}

/** The fields of a change with names in place of ids. */
export function fieldsWithNames(
  say: Say,
  resource: Resource,
  fields: DiffRecord['changes'],
  names: Names,
): DiffRecord['changes'] {
  const changes = { ...fields };
  for (const { field, to } of referencesFrom(records[resource])) {
    const pair = fields[field];
    if (!pair) continue;
    const kind = to.resource;
    const nameOf = (id: unknown) =>
      typeof id === 'number' ? (names.get(`${kind}/${id}`) ?? numbered(say, kind, id)) : null;
    changes[field] = pair.map((value) => {
      // A value that is not known stays unknown.
      if (value === undefined || !Array.isArray(value)) return value && nameOf(value);
      return value.map((one) => (typeof one === 'number' ? nameOf(one) : namedCourse(one, nameOf)));
    });
  }
  return changes;
}

/** A change as the views of differences take it, with names in place of ids. */
export function toDiffRecord(say: Say, change: Change, names: Names): DiffRecord {
  const { resource, id, action, fields } = change;
  const known = nameThen(change, names);
  const name = known ?? (resource === 'photos' ? numbered(say, resource, id) : null);
  const changes = fieldsWithNames(say, resource, fields, names);
  const outcome = action === 'changed' ? 'updated' : action;
  return { resource, outcome, path: '', row: null, name, within: null, changes, errors: {} };
}

/** An e-mail address, which stands for a person who has no name. */
const ADDRESS = /^([^\s@]+)@[^\s@]+$/;

/** A person as others call them: by the name, and where that is an address by its beginning. */
export function personText(name: string): string {
  return name.replace(ADDRESS, '$1');
}

/** Who made a version, in words. */
export function whoText(say: Say, { kind, name }: Actor): string {
  if (kind === 'user' && name !== null) return personText(name);
  return say(`history.${kind}`, { name: name ?? '' });
}

/** Who has checked the allergens of an entry, in words; empty where no name is known. */
export function checkedText(say: Say, { confirmed_by: name }: HistoryEntry['head']): string {
  return name === null ? '' : say('history.confirmedBy', { name });
}

export function entryPath({ head }: HistoryEntry): string {
  return `${HISTORY_PATH}/${head.version}?part=${head.part}`;
}

/** How many records of a difference a list shows. */
const SHOWN = 3;

/**
 * An entry in a list: when, who, how, and what.
 *
 * @param filter the records that are shown, where it names some
 */
export function entryItem(
  desk: Desk,
  entry: HistoryEntry,
  names: Names,
  { record, name }: StoryFilter,
): Html {
  const { say } = desk;
  const { at, actor, origin, counts } = entry.head;
  const all: Change[] = entry.changes === null ? [] : JSON.parse(entry.changes);
  const isShown = (change: Change) =>
    (!record || (change.resource === record.resource && change.id === record.id)) &&
    (!name || (change.name ?? '').toLowerCase().includes(name.toLowerCase()));
  const changes = all.filter(isShown);
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const writing = { say, place: formPlace(desk) };
  const shown = changes
    .slice(0, SHOWN)
    .map((change) => diffRecord(writing, toDiffRecord(say, change, names)));
  const checked = checkedText(say, entry.head);
  const isPart = (record || name) && changes.length > 0;
  const rest = (isPart ? changes.length : count) - shown.length;
  return html`<li class="entry"><h3><a href="${entryPath(entry)}"><time datetime="${at.toISOString()}">${momentText(desk, at, 'time')}</time></a> <bdi>${whoText(say, actor)}</bdi> <span class="mark">${say(`history.origins.${origin}`)}</span></h3>
${checked && html`<p class="hint"><bdi>${checked}</bdi></p>`}${count === 0 ? html`<p class="hint">${say('history.nothing')}</p>` : html`<ul>${shown}</ul>`}
${rest > 0 && html`<p class="hint">${say('history.more', { n: rest })}</p>`}</li>`;
}
