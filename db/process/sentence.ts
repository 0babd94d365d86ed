import { isOutage, rootOf } from '../postgres/outage.ts';
import { OperatorError } from './operator-error.ts';

/** What an operator can mend, in a sentence; undefined for any other error. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  if (!isOutage(error)) return undefined;
  return `Postgres (DATABASE_URL) cannot be reached or takes no work: ${rootOf(error)?.message}.`;
}
