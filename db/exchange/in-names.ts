import { createHash } from 'node:crypto';
import type { Row } from '../schema/values/row.ts';
import { type Kind, plainOf, type RecordName, type State, type Text } from './in-menu.ts';
import type { Reported } from './report.ts';

// Which record of here a record of a service is: by its key, or by its name.

const LONGEST_KEY = 128;

/** A key of a service as an external id: one line, and not too long. */
export function safeKey(key: string): string {
  const line = key.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (line !== '' && line.length <= LONGEST_KEY) return line;
  return createHash('sha256').update(key).digest('hex');
}

export const reportedAs = (resource: string, key: string | null, name: Text): Reported => ({
  resource,
  id: key,
  name: plainOf(name),
});

/** The record that a key or a name names here. */
export function nameRecord(
  state: State,
  kind: Kind,
  given: string,
  name: Text,
  section?: number,
): RecordName {
  const place = `${kind}/${given}`;
  const known = state.names.get(place);
  if (known) return known;
  const [, of, number] = state.own.exec(given) ?? [];
  const key = safeKey(given);
  const claim = (found: RecordName) => {
    state.names.set(place, found);
    return found;
  };
  if (of === kind) return claim({ id: Number(number) });
  if (state.options.find(kind, { external_id: key })) return claim({ external_id: key });
  const candidates = state.options
    .named(kind, plainOf(name), section)
    .filter(({ id }) => !state.claimed.has(`${kind}/${id}`));
  const [one, second] = candidates;
  if (!one || second) return claim({ external_id: key });
  state.claimed.add(`${kind}/${one.id}`);
  const id = one.id as number;
  // A key of the owner's own stays.
  return claim(typeof one.external_id === 'string' ? { id } : { id, external_id: key });
}

/** The field with which a record names another one. */
export const referenceTo = (field: string, name: RecordName): Row =>
  'id' in name ? { [`${field}_id`]: name.id } : { [`${field}_external_id`]: name.external_id };

/** The record as it is here; undefined for a new one. */
export const presentOf = ({ options }: State, kind: Kind, name: RecordName): Row | undefined =>
  options.find(kind, 'id' in name ? { id: name.id } : name);
