import { parseRecordId } from '../../db/schema/record-id.ts';
import { NotFoundError } from './errors.ts';

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
