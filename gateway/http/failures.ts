import { summarize } from '../../db/validation/messages.ts';
import {
  ForbiddenError,
  InvalidError,
  NotFoundError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  UnsupportedTypeError,
} from '../errors.ts';
import { type Answer, errorAnswer, jsonAnswer } from './answer.ts';

export const BAD_REQUEST = errorAnswer('400 Bad Request', 'Bad Request');
export const NOT_FOUND = errorAnswer('404 Not Found', 'Resource not found.');
export const TOO_MANY_ATTEMPTS = errorAnswer('429 Too Many Requests', 'Too Many Attempts.');
const UNAUTHENTICATED = errorAnswer('401 Unauthorized', 'Unauthenticated.', {
  'WWW-Authenticate': 'Bearer',
});
const FORBIDDEN = errorAnswer('403 Forbidden', 'Invalid ability provided.');
const UNSUPPORTED_TYPE = errorAnswer('415 Unsupported Media Type', 'Unsupported Media Type', {
  Accept: 'application/json',
});
const TOO_LARGE = errorAnswer('413 Content Too Large', 'Content Too Large');
const SERVER_ERROR = errorAnswer('500 Internal Server Error', 'Server Error', {
  'Retry-After': '5',
});
const UNAVAILABLE = errorAnswer('503 Service Unavailable', 'Service Unavailable', {
  'Retry-After': '2',
});

/** The answer for an error that a handler threw; what nobody expected is a 500. */
export function failureAnswer(error: unknown): Answer {
  if (error instanceof NotFoundError) return NOT_FOUND;
  if (error instanceof UnavailableError) return UNAVAILABLE;
  if (error instanceof UnauthenticatedError) return UNAUTHENTICATED;
  if (error instanceof ForbiddenError) return FORBIDDEN;
  if (error instanceof UnsupportedTypeError) return UNSUPPORTED_TYPE;
  if (error instanceof TooLargeError) return TOO_LARGE;
  if (error instanceof InvalidError) {
    const { errors } = error;
    return jsonAnswer('422 Unprocessable Content', {
      success: false,
      message: summarize(errors),
      errors,
    });
  }
  return SERVER_ERROR;
}

const CLIENT_MISTAKES = [
  NotFoundError,
  InvalidError,
  TooLargeError,
  UnauthenticatedError,
  ForbiddenError,
  UnsupportedTypeError,
];

/** Whether the operator should read of this error: clients' mistakes are no news. */
export function isFault(error: unknown): boolean {
  return !CLIENT_MISTAKES.some((kind) => error instanceof kind);
}
