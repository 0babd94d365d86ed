import { parseRecordId } from '../../db/schema/values/record-id.ts';
import { NotFoundError } from './errors.ts';

/** The path of every endpoint of the API begins with it. */
export const API_PREFIX = '/api/v1';
/** The path of every request of the platform's API begins with it. */
export const PLATFORM_PREFIX = '/platform/';

/** Whether a path is one of the owners' pages, or below them. */
export function isOfPanel(path: string): boolean {
  return /^\/admin(\/|$)/.test(path);
}

const ENCODED = /%[0-9a-f]{2}/gi;
/** The unreserved characters of RFC 3986. */
const UNRESERVED = /[\w.~-]/;

/**
 * A path with every character decoded that means the same decoded (RFC 3986, 6.2.2.2): `/menu/%65n`
 * is `/menu/en`. A slash stays encoded: it would part what belongs together.
 */
export function normalPath(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(ENCODED, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded;
  });
}

/** The mark of an external id where a path has a record's id. */
export const KEY_MARK = 'ext:';

/** The name of a record in a path: its id, or its external id. */
type RecordName = { id: number; key: null } | { id: null; key: string };

/**
 * The id in a path, or the external id behind `ext:`; whatever is neither names no record.
 *
 * @throws NotFoundError
 */
export function pathRecord(param: string): RecordName {
  const decoded = decode(param);
  if (!decoded.startsWith(KEY_MARK)) return { id: pathId(param), key: null };
  const key = decoded.slice(KEY_MARK.length).normalize('NFC').trim();
  // Postgres stores no such sign, so no record has it.
  if (key === '' || key.includes('\0')) throw new NotFoundError();
  return { id: null, key };
}

/** A segment without its percent signs; as it is when they encode nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The id in a path; whatever cannot be one names no record.
 *
 * @throws NotFoundError
 */
export function pathId(param: string): number {
  const id = parseRecordId(param);
  if (id === null) throw new NotFoundError();
  return id;
}

/** The path of the preview that a release's secret opens. */
export function releasePreviewPath(secret: string): string {
  return `/preview/${secret}`;
}
