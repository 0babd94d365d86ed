import { MENU_COLLECTIONS } from '../../../db/schema/registry.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { actorSchema, changeActionSchema } from '../../../db/schema/version.ts';
import type { StoryFilter } from '../../../db/sql/history.ts';
import { parseQuery } from '../../http/query.ts';

export const HISTORY_PATH = '/admin/history';
/** The length of a name that is looked for, in characters. */
export const MAX_NAME = 100;

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
