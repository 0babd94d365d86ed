import type pg from 'pg';
import { ConnectionError } from 'slonik';
import { isFailure, OperatorError, rootCause } from '../runtime/operator-error.ts';

/** Codes of the operating system and of Postgres that say: it is not there, or not for us. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN', 'ECONNABORTED'],
  // No more files or sockets.
  ...['EMFILE', 'ENFILE'],
  // admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, too_many_connections
  ...['57P01', '57P02', '57P03', '57P04', '53300'],
  // idle_in_transaction_session_timeout and its like: this process was not there for a while
  ...['25P03', '25P04', '57P05'],
  // invalid_authorization_specification, invalid_password, invalid_catalog_name: while it is moved
  ...['28000', '28P01', '3D000'],
  // query_canceled by a timeout, disk_full, out_of_memory, io_error, read_only_sql_transaction
  ...['57014', '53100', '53200', '58030', '25006'],
]);
const CONNECTION_CLASS = '08';
/** Texts of pg's errors that have no code. */
const AWAY_TEXT = new RegExp(
  [
    ...['connection (terminat|end)ed', '(the|to) connect', 'time(out expired|d out)'],
    ...['read timeout', 'pending destroy', 'not queryable', 'connection pool'],
  ].join('|'),
  'i',
);

/** A statement was given up before Postgres had answered it. */
export class OverdueError extends Error {
  override name = 'OverdueError';
}

/** The routine of Postgres that warns of a commit when its wait for a standby was cancelled. */
const CANCELLED_WAIT = 'SyncRepWaitForLSN';

/**
 * Watches for commits that only this host has: somebody cancelled the wait for a synchronous standby,
 * and Postgres only warns. The result tells, once, the error of the statement that was answered last.
 */
export function watchStandby(client: pg.ClientBase): () => OverdueError | null {
  let isUnsafe = false;
  client.on('notice', ({ routine }) => {
    if (routine === CANCELLED_WAIT) isUnsafe = true;
  });
  return () => {
    const wasUnsafe = isUnsafe;
    isUnsafe = false;
    return wasUnsafe ? new OverdueError('the wait for the standby was cancelled') : null;
  };
}

/** Ends a statement whose time is over. */
export function throwOverdue(): never {
  throw new OverdueError('Postgres did not answer in time');
}

/** A statement was refused because too many others wait: Postgres is there all the same. */
export class TooManyStatementsError extends OverdueError {
  override name = 'TooManyStatementsError';
}

/** Whether a connection was refused, for any reason. */
function isShutOut(error: unknown): boolean {
  return isFailure(error) && (error instanceof ConnectionError || isShutOut(error.cause));
}

/** Whether an error means that Postgres cannot be reached or takes no work at present. */
export function isOutage(error: unknown): boolean {
  if (isShutOut(error)) return true;
  const root = rootCause(error);
  if (!root) return false;
  if (root instanceof OverdueError) return true;
  const { code } = root;
  if (typeof code !== 'string') return AWAY_TEXT.test(root.message);
  // Of a socket in the file system; any other file that is missing is another fault.
  if (code === 'ENOENT') return root.syscall === 'connect';
  return AWAY.has(code) || (code.length === 5 && code.startsWith(CONNECTION_CLASS));
}

/** Whether Postgres has rolled a transaction back, as in a deadlock, so that it may be done again. */
export const isRolledBack = (error: unknown) => /^40...$/.test(String(rootCause(error)?.code));

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether an error means that others were in the way, so that Postgres asks to try again. */
export const isContention = (error: unknown) =>
  isRolledBack(error) || rootCause(error)?.code === LOCK_NOT_AVAILABLE;

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
