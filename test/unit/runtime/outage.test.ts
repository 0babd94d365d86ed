// Which errors say that Postgres is away, and so become a 503 and one line of the log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError } from 'slonik';
import { isOutage, OverdueError } from '../../../db/postgres/outage.ts';

/** The text is that of an outage: a code counts for more. */
const failure = (code: string, parts = {}) =>
  Object.assign(new Error('relation "the connection" timed out'), { code, ...parts });

test('the system’s and Postgres’ own codes for being away are an outage', () => {
  for (const code of [
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND'],
    // admin_shutdown, cannot_connect_now, too_many_connections, read_only_sql_transaction
    ...['57P01', '57P03', '53300', '25006'],
    // idle_in_transaction_session_timeout
    '25P03',
    // database_dropped, invalid_catalog_name, invalid_password
    ...['57P04', '3D000', '28P01'],
    // connection_exception and its kin
    ...['08000', '08001', '08006', '08P01'],
  ]) {
    assert.equal(isOutage(failure(code)), true, code);
  }
  assert.equal(isOutage(failure('ENOENT', { syscall: 'connect' })), true, 'no such socket');
});

test('so is what pg says without a code, and a statement that was given up', () => {
  for (const text of [
    ...['Connection terminated unexpectedly', 'timeout expired', 'read timeout'],
    ...['Client is pending destroy.', 'Client was closed and is not queryable'],
    'Client has encountered a connection error and is not queryable',
  ]) {
    assert.equal(isOutage(new Error(text)), true, text);
  }
  assert.equal(isOutage(new OverdueError('too late')), true);
  // A refused connection: "permission denied for database", "not currently accepting connections".
  for (const code of ['42501', '55000']) {
    assert.equal(isOutage(new ConnectionError('', { cause: failure(code) })), true, code);
  }
});

test('any other error is none, whatever its text', () => {
  // undefined_table, unique_violation, syntax_error, internal_error, and no code of Postgres
  for (const code of ['42P01', '23505', '42601', 'XX000', '0800']) {
    assert.equal(isOutage(failure(code)), false, code);
  }
  assert.equal(isOutage(failure('ENOENT', { syscall: 'open' })), false, 'a file is missing');
  for (const none of [new Error('a defect'), new TypeError('x is not a function'), 'text', null]) {
    assert.equal(isOutage(none), false);
  }
});

test('the first cause decides, in whatever it comes', () => {
  const away = failure('57P01');
  assert.equal(isOutage(new Error('outer', { cause: new Error('inner', { cause: away }) })), true);
  assert.equal(isOutage(new AggregateError([failure('ECONNREFUSED')], 'localhost')), true);
  assert.equal(isOutage({ message: 'a job failed', cause: { message: 'x', code: '53300' } }), true);
});
