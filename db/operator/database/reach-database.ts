import { connectToDatabase } from '../../postgres/pg-client.ts';
import type { Config } from '../../runtime/config.ts';
import { type EmbeddedOptions, startEmbedded } from '../embedded/start-embedded.ts';

/** A database that answers; `stop` leaves it, which stops an embedded one nobody else uses. */
export type ReachedDatabase = { url: string; stop: () => Promise<void> };

/**
 * The database of DATABASE_URL, or without one the embedded server of DATA_DIR, started if it is
 * down, and created if there is none, unless it must exist.
 *
 * @throws {OperatorError} when it cannot be reached; the message has no password.
 */
export async function reachDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  use: Pick<EmbeddedOptions, 'role' | 'mustExist'>,
): Promise<ReachedDatabase> {
  if (config.databaseUrl === undefined) return startEmbedded({ dataDir: config.dataDir, ...use });
  const { close } = await connectToDatabase(config.databaseUrl);
  await close();
  return { url: config.databaseUrl, stop: async () => {} };
}
