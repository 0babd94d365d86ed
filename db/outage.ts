/** Codes of the operating system and of Postgres that say: it is not there, or not for us. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EADDRNOTAVAIL'],
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
  ...['57P01', '57P02', '57P03', '53300'],
  // query_canceled by a timeout, disk_full, read_only_sql_transaction
  ...['57014', '53100', '25006'],
]);
const CONNECTION_CLASS = '08';
/** What pg says without a code. */
const AWAY_TEXT =
  /connection (terminated|ended)|the connection|timeout expired|read timeout|trying to connect/i;

/** A statement was given up before Postgres had answered it. */
export class OverdueError extends Error {
  override name = 'OverdueError';
}

/** The error that made another one, as far back as is known. */
export function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error) {
    const deeper = root instanceof AggregateError ? root.errors[0] : root.cause;
    if (deeper === undefined) break;
    root = deeper;
  }
  return root;
}

/** Whether an error means that Postgres cannot be reached or takes no work at present. */
export function isOutage(error: unknown): boolean {
  const root = rootOf(error);
  if (!(root instanceof Error)) return false;
  if (root instanceof OverdueError) return true;
  const { code } = root as { code?: unknown };
  if (typeof code !== 'string') return AWAY_TEXT.test(root.message);
  return AWAY.has(code) || (code.length === 5 && code.startsWith(CONNECTION_CLASS));
}
