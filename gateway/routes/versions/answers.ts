import * as v from 'valibot';
import type { Database } from '../../../db/postgres/connection.ts';
import type { Db } from '../../../db/postgres/sql.ts';
import { actorSchema, changeSchema, originSchema } from '../../../db/schema/version.ts';
import { findHistorySpan, type HistoryEntry, type HistorySpan } from '../../../db/sql/history.ts';
import { GoneError, NotFoundError, unavailable } from '../../http/errors.ts';

const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

const entryEntries = {
  version: count('The version of the menu.'),
  part: count('Which of the writes that share the version, from 0.'),
  at: v.pipe(v.string(), v.isoTimestamp(), v.description('When the menu came into this version.')),
  actor: v.pipe(actorSchema, v.description('Who changed it.')),
  origin: v.pipe(originSchema, v.description('The way by which the change came.')),
  counts: v.pipe(
    v.object({
      created: count('Records that are new.'),
      changed: count('Records that have other values.'),
      deleted: count('Records that were deleted.'),
      restored: count('Records that came back.'),
    }),
    v.description('How many records differ from the version before.'),
  ),
  job_id: v.pipe(v.nullable(v.string()), v.description('The write, where it was one.')),
};
const changes = v.pipe(
  v.array(changeSchema),
  v.description('The difference, each record after those that it names.'),
);

export const entrySchema = v.object({ ...entryEntries, changes: v.optional(changes) });
export const versionSchema = v.object({
  ...entryEntries,
  changes,
  parts: v.pipe(
    v.array(v.object({ ...entryEntries, changes })),
    v.description('The same for each write that shares the version.'),
  ),
});

const entry = {
  ...{ version: 12, part: 0, at: '2026-01-15T18:30:00.000Z', origin: 'api' },
  actor: { kind: 'token', id: 1, name: 'Cassa' },
  counts: { created: 0, changed: 1, deleted: 0, restored: 0 },
  job_id: '019b8e3c-5a3e-7c1a-9f00-2f6d1c7e4b11',
};
const change = {
  ...{ resource: 'items', id: 7, external_id: 'gricia', name: 'Gricia', action: 'changed' },
  fields: { price: [11.5, 12] },
};
const whole = { ...entry, changes: [change] };

export const entryExample = entry;
export const versionExample = { ...whole, parts: [whole] };

/** A restaurant's history at one moment. */
interface HistoryMoment {
  db: Db;
  span: HistorySpan;
}

/**
 * Reads a restaurant's history as it is at one moment.
 *
 * @throws NotFoundError when the restaurant has just been deleted
 * @throws UnavailableError when Postgres does not answer
 */
export function readHistory<T>(
  database: Pick<Database, 'moment'>,
  tenantId: number,
  read: (history: HistoryMoment) => Promise<T>,
): Promise<T> {
  const reading = database.moment(async (db) => {
    const span = await findHistorySpan(db, tenantId);
    if (!span) throw new NotFoundError();
    return read({ db, span });
  });
  return reading.catch(unavailable('could not read a history'));
}

/**
 * Checks that the menu of a version is known.
 *
 * @throws GoneError for a version that is older than what is kept
 * @throws NotFoundError for one that there has not been
 */
export function requireVersion({ latest, oldest }: HistorySpan, version: number): void {
  if (version > latest) throw new NotFoundError();
  if (version < oldest) throw new GoneError();
}

/** Entries as finished JSON, with their differences where these were read. */
export function entriesJson(entries: readonly HistoryEntry[]): string {
  const texts = entries.map(({ head, changes }) => {
    const text = JSON.stringify(head);
    return changes === null ? text : `${text.slice(0, -1)},"changes":${changes}}`;
  });
  return `[${texts.join(',')}]`;
}
