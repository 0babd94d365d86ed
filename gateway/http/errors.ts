import { isOutage } from '../../db/postgres/outage.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';

/** An error that has its class as its name, which the log shows. */
class NamedError extends Error {
  override name = this.constructor.name;
}

/** The resource that a path names is not there or not visible (SPEC, "Errors", 404). */
export class NotFoundError extends NamedError {}

/** The version that a request names is older than what is kept. */
export class GoneError extends NamedError {}

/** A request that breaks the rules of its fields; `errors` says which, in Italian. */
export class InvalidError extends NamedError {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors) {
    super('validation failed');
    this.errors = errors;
  }
}

/** Something that the answer needs could not be reached in time: the client should come again. */
export class UnavailableError extends NamedError {}

/** There are more bodies or streams at once than there is room for. */
export class CrowdedError extends UnavailableError {}

/**
 * Makes of an outage of Postgres that something is unavailable: `.catch(unavailable('could not …'))`.
 * Any other error is a fault of ours and stays what it is.
 */
export function unavailable(text: string): (cause: unknown) => never {
  return (cause) => {
    throw isOutage(cause) ? new UnavailableError(text, { cause }) : cause;
  };
}

/** The client has as many streams of the restaurant as it may have. */
export class TooManyStreamsError extends NamedError {}

/** The request's body is longer than is allowed. */
export class TooLargeError extends NamedError {}

/** The request's query is longer than is allowed. */
export class TooLongError extends NamedError {}

/** The request has no token that is valid for this tenant (SPEC, "Authentication", 7). */
export class UnauthenticatedError extends NamedError {}

/** The token is valid but lacks the scope that the endpoint needs (SPEC, "Authentication", 8). */
export class ForbiddenError extends NamedError {}

export class NoFormError extends NamedError {}

/** The body is of a kind that the endpoint does not read. */
export class UnsupportedTypeError extends NamedError {}
