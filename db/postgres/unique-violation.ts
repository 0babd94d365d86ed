import { UniqueIntegrityConstraintViolationError } from 'slonik';

/** Whether a statement failed because another row has the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof UniqueIntegrityConstraintViolationError;
}
