import { isOutage } from '../../db/postgres/outage.ts';
import { InvalidError } from '../../db/schema/validation/invalid-error.ts';
import { type Answer, errorAnswer, jsonAnswer } from './answer.ts';
import { errorBody, invalidBody } from './envelope.ts';

export { InvalidError };

/** An error that has its class as its name, which the log shows. */
class NamedError extends Error {
  override name = this.constructor.name;
}

/** The resource that a path names is not there or not visible (SPEC, "Errors", 404). */
export class NotFoundError extends NamedError {}

/** The version that a request names is older than what is kept. */
export class GoneError extends NamedError {}

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

export const BAD_REQUEST = errorAnswer('400 Bad Request', 'Bad Request');
export const NOT_FOUND = errorAnswer('404 Not Found', 'Resource not found.');
export const TOO_MANY_ATTEMPTS = errorAnswer('429 Too Many Requests', 'Too Many Attempts.');

/** The answer to a client that has asked too often. @param wait until it may ask again, in ms */
export function tooManyAttempts(wait: number): Answer {
  const headers = { 'Retry-After': String(Math.ceil(wait / 1_000)) };
  return errorAnswer('429 Too Many Requests', 'Too Many Attempts.', headers);
}

const UNAVAILABLE = errorAnswer('503 Service Unavailable', 'Service Unavailable', {
  'Retry-After': '2',
});

type Kind = new (...args: never[]) => Error;

const jsonAlone = { Accept: 'application/json' };
/** Mistakes of clients beside wrong fields, by the exact class of the error, and their answers. */
const MISTAKES = new Map<Kind, Answer>([
  [NotFoundError, NOT_FOUND],
  [GoneError, errorAnswer('410 Gone', 'Gone')],
  [
    UnauthenticatedError,
    errorAnswer('401 Unauthorized', 'Unauthenticated.', { 'WWW-Authenticate': 'Bearer' }),
  ],
  [ForbiddenError, errorAnswer('403 Forbidden', 'Invalid ability provided.')],
  [
    UnsupportedTypeError,
    errorAnswer('415 Unsupported Media Type', 'Unsupported Media Type', jsonAlone),
  ],
  [TooLargeError, errorAnswer('413 Content Too Large', 'Content Too Large')],
  [TooLongError, errorAnswer('414 URI Too Long', 'URI Too Long')],
  [TooManyStreamsError, tooManyAttempts(60_000)],
  [CrowdedError, UNAVAILABLE],
]);

/**
 * The answer for an error that a handler threw; an unexpected one is a 500.
 *
 * @param id of the request, under which the log has the error
 */
export function failureAnswer(error: unknown, id: string): Answer {
  if (error instanceof InvalidError) {
    return jsonAnswer('422 Unprocessable Content', invalidBody(error.errors));
  }
  if (error instanceof UnavailableError) return UNAVAILABLE;
  const mistake = answerOfMistake(error);
  if (mistake) return mistake;
  const body = errorBody('Server Error', { error_id: id });
  return jsonAnswer('500 Internal Server Error', body, { 'Retry-After': '5' });
}

function answerOfMistake(error: unknown): Answer | undefined {
  return error instanceof Error ? MISTAKES.get(error.constructor as Kind) : undefined;
}

/** Whether the operator should read of this error: clients' mistakes are no news. */
export function isFault(error: unknown): boolean {
  return !(error instanceof InvalidError) && answerOfMistake(error) === undefined;
}
