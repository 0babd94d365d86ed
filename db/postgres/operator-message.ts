import { OperatorError } from '../runtime/operator-error.ts';
import { rootCause } from '../runtime/root-cause.ts';
import { isOutage } from './outage.ts';

/** The refusal of a pooler that does not know a time limit that is set at connecting. */
const UNKNOWN_PARAMETER = /^unsupported startup parameter/;

/** A sentence for an error that an operator can mend; undefined for any other error. */
export function operatorMessage(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  if (!isOutage(error)) return undefined;
  const reason = rootCause(error)?.message ?? '';
  if (UNKNOWN_PARAMETER.test(reason)) {
    return (
      `The pooler of DATABASE_URL refuses how Lavagna connects (${reason}): let its ` +
      'ignore_startup_parameters name statement_timeout, idle_in_transaction_session_timeout ' +
      'and options, and give the role bounds of its own, as gateway/DEPLOY.md shows.'
    );
  }
  return `Postgres (DATABASE_URL) cannot be reached or takes no work: ${reason}.`;
}
