import { parseRecordId } from '../../db/schema/record-id.ts';
import { NotFoundError } from './errors.ts';

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
