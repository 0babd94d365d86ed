import { rootCause } from '../runtime/root-cause.ts';

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because another row has the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return rootCause(error)?.code === UNIQUE_VIOLATION;
}
