import type { Database } from '../../../db/postgres/connection.ts';
import type { Db } from '../../../db/postgres/sql.ts';
import { findHistorySpan, type HistoryEntry, type HistorySpan } from '../../../db/sql/history.ts';
import { GoneError, NotFoundError, unavailable } from '../../http/errors.ts';

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
