import { constants } from '../../runtime/constants.ts';
import type { FieldErrors } from './rule.ts';
import { madeSafe } from './safe-text.ts';

/** The length of a field's path in an error: the last key of it may be the client's invention. */
const MAX_PATH_LENGTH = 200;

/** The errors of the first fields: a client may name as many as its body holds. */
export function boundErrors(errors: FieldErrors): FieldErrors {
  const fields = Object.entries(errors).slice(0, constants.maxListedFailures);
  return Object.fromEntries(
    fields.map(([path, rules]) => [madeSafe(path.slice(0, MAX_PATH_LENGTH)), rules]),
  );
}
