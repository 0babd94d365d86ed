import { applyMigrations, findPending } from '../../migrations/apply-migrations.ts';
import { connectToDatabase } from '../../postgres/pg-client.ts';
import { findMissingQueues, installQueues } from '../../queue/install-queues.ts';
import { OperatorError } from '../../runtime/operator-error.ts';

/**
 * Brings the database to the schema and the queues of this Lavagna.
 *
 * @returns the names of the migrations that were applied
 * @throws {OperatorError} as `applyMigrations` does
 */
export function migrate(databaseUrl: string): Promise<string[]> {
  return applyMigrations(databaseUrl, () => installQueues(databaseUrl));
}

/**
 * Makes sure that the database has the schema of this Lavagna, neither an older nor a newer one, and
 * its queues.
 *
 * @throws {OperatorError} when it has not, or cannot be reached.
 */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  const { client, close } = await connectToDatabase(databaseUrl);
  try {
    const { pending, problem } = await findPending(client);
    if (problem !== undefined) throw new OperatorError(problem);
    const missing = pending.length === 0 ? await findMissingQueues(client) : [];
    if (pending.length + missing.length === 0) return;
    const what = pending.length > 0 ? 'migrations' : 'queues';
    const names = [...pending, ...missing].join(', ');
    throw new OperatorError(
      `The database lacks the ${what} ${names}; run the command migrate first.`,
    );
  } finally {
    await close();
  }
}
