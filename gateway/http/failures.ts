import { type Answer, errorAnswer, jsonAnswer } from './answer.ts';
import { errorBody, invalidBody } from './envelope.ts';
import {
  CrowdedError,
  ForbiddenError,
  GoneError,
  InvalidError,
  NotFoundError,
  TooLargeError,
  TooLongError,
  TooManyStreamsError,
  UnauthenticatedError,
  UnavailableError,
  UnsupportedTypeError,
} from './errors.ts';

export const BAD_REQUEST = errorAnswer('400 Bad Request', 'Bad Request');
export const NOT_FOUND = errorAnswer('404 Not Found', 'Resource not found.');
export const TOO_MANY_ATTEMPTS = errorAnswer('429 Too Many Requests', 'Too Many Attempts.');
const TOO_MANY_STREAMS = errorAnswer('429 Too Many Requests', 'Too Many Attempts.', {
  'Retry-After': '60',
});
const UNAUTHENTICATED = errorAnswer('401 Unauthorized', 'Unauthenticated.', {
  'WWW-Authenticate': 'Bearer',
});
const FORBIDDEN = errorAnswer('403 Forbidden', 'Invalid ability provided.');
const GONE = errorAnswer('410 Gone', 'Gone');
const UNSUPPORTED_TYPE = errorAnswer('415 Unsupported Media Type', 'Unsupported Media Type', {
  Accept: 'application/json',
});
const TOO_LONG = errorAnswer('414 URI Too Long', 'URI Too Long');
const TOO_LARGE = errorAnswer('413 Content Too Large', 'Content Too Large');
const UNAVAILABLE = errorAnswer('503 Service Unavailable', 'Service Unavailable', {
  'Retry-After': '2',
});

type Kind = new (...args: never[]) => Error;

/** Mistakes of clients beside wrong fields, by the exact class of the error, and their answers. */
const MISTAKES = new Map<Kind, Answer>([
  [NotFoundError, NOT_FOUND],
  [GoneError, GONE],
  [UnauthenticatedError, UNAUTHENTICATED],
  [ForbiddenError, FORBIDDEN],
  [UnsupportedTypeError, UNSUPPORTED_TYPE],
  [TooLargeError, TOO_LARGE],
  [TooLongError, TOO_LONG],
  [TooManyStreamsError, TOO_MANY_STREAMS],
  [CrowdedError, UNAVAILABLE],
]);

/** @param id under which the log has the error */
function serverError(id: string): Answer {
  const body = errorBody('Server Error', { error_id: id });
  return jsonAnswer('500 Internal Server Error', body, { 'Retry-After': '5' });
}

/**
 * The answer for an error that a handler threw; an unexpected one is a 500.
 *
 * @param id of the request
 */
export function failureAnswer(error: unknown, id: string): Answer {
  if (error instanceof InvalidError) {
    return jsonAnswer('422 Unprocessable Content', invalidBody(error.errors));
  }
  if (error instanceof UnavailableError) return UNAVAILABLE;
  return answerOfMistake(error) ?? serverError(id);
}

function answerOfMistake(error: unknown): Answer | undefined {
  return error instanceof Error ? MISTAKES.get(error.constructor as Kind) : undefined;
}

/** Whether the operator should read of this error: clients' mistakes are no news. */
export function isFault(error: unknown): boolean {
  return !(error instanceof InvalidError) && answerOfMistake(error) === undefined;
}
