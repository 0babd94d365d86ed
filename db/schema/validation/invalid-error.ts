import { OperatorError } from '../../runtime/operator-error.ts';
import type { FieldErrors } from './rule.ts';

/**
 * A request breaks the rules of its fields. `errors` names the rules, for programs and for people of
 * restaurants. The message says the same to an operator.
 */
export class InvalidError extends OperatorError {
  override name = 'InvalidError';
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors, message = 'validation failed') {
    super(message);
    this.errors = errors;
  }
}

/** @throws InvalidError when there is an error */
export function refuse(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw new InvalidError(errors);
}
