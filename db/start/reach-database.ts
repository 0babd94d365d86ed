import { type EmbeddedOptions, startEmbedded } from '../embedded/start-embedded.ts';
import { createPgClient } from '../postgres/pg-client.ts';
import { describePlaces } from '../postgres/places.ts';
import type { Config } from '../process/config.ts';
import { OperatorError } from '../process/operator-error.ts';

const connectBoundMs = 10_000;

/** A database that answers; `stop` leaves it, which stops an embedded one nobody else uses. */
export type ReachedDatabase = { url: string; stop: () => Promise<void> };

/**
 * The database of DATABASE_URL, or without one the embedded server of DATA_DIR, started if it is
 * down.
 *
 * @throws {OperatorError} when it cannot be reached; the message has no password.
 */
export async function reachDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  role: EmbeddedOptions['role'],
): Promise<ReachedDatabase> {
  if (config.databaseUrl === undefined) return startEmbedded({ dataDir: config.dataDir, role });
  const { client } = createPgClient(config.databaseUrl, {
    connectionTimeoutMillis: connectBoundMs,
  });
  try {
    await client.connect();
    await client.query('select');
  } catch (error) {
    throw unreachable(config.databaseUrl, error as NodeJS.ErrnoException);
  } finally {
    await client.end();
  }
  return { url: config.databaseUrl, stop: async () => {} };
}

function unreachable(url: string, error: NodeJS.ErrnoException): OperatorError {
  // A host with several addresses gives one error for all of them, without a message.
  return new OperatorError(
    `The database at ${describePlaces(url)} (DATABASE_URL) cannot be reached: ${error.message || error.code}.`,
  );
}
