import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  failureAnswer,
  isFault,
  NotFoundError,
  UnavailableError,
} from '../../../gateway/http/errors.ts';

/** Status, and the seconds after which the client may try again. */
function answered(error: unknown) {
  const { status, head } = failureAnswer(error, 'abc-1');
  return [status.slice(0, 3), /\r\nRetry-After: (\d+)/.exec(head.toString())?.[1]];
}

test('an answer that may soon be another one has Retry-After (SPEC, "Errors", 500)', () => {
  assert.deepEqual(answered(new Error('a defect')), ['500', '5']);
  assert.deepEqual(answered('no error at all'), ['500', '5']);
  assert.deepEqual(answered(new UnavailableError('away')), ['503', '2']);
  assert.deepEqual(answered(new NotFoundError()), ['404', undefined]);
});

test('the log has faults of the service, and no mistakes of clients', () => {
  assert.equal(isFault(new Error('a defect')), true);
  assert.equal(isFault(new UnavailableError('away')), true);
  assert.equal(isFault(new NotFoundError()), false);
});

test('a class derived from a mistake of clients is a fault', () => {
  class Odd extends NotFoundError {}
  assert.deepEqual(answered(new Odd()), ['500', '5']);
  assert.equal(isFault(new Odd()), true);
});

test('a 500 names the error by the id of its request, and no other answer has one', () => {
  const idOf = (error: unknown) => JSON.parse(String(failureAnswer(error, 'abc-1').body)).error_id;
  assert.equal(idOf(new Error('a defect')), 'abc-1');
  assert.equal(idOf(new UnavailableError('away')), undefined);
});
