import { connectToDatabase } from '../../postgres/pg-client.ts';
import type { Config } from '../../runtime/config.ts';
import { type EmbeddedOptions, startEmbedded } from '../embedded/start-embedded.ts';

/** A database that answers. `stop` ends an embedded server that no other program uses. */
export type StartedDatabase = { url: string; stop: () => Promise<void> };

/**
 * The database of DATABASE_URL, or without one the embedded server of DATA_DIR, started if it is
 * down, and created if there is none, unless it must exist.
 *
 * @throws {OperatorError} when it cannot be reached; the message has no password.
 */
export async function startDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  use: Pick<EmbeddedOptions, 'role' | 'mustExist'>,
): Promise<StartedDatabase> {
  if (config.databaseUrl === undefined) return startEmbedded({ dataDir: config.dataDir, ...use });
  const { close } = await connectToDatabase(config.databaseUrl);
  await close();
  return { url: config.databaseUrl, stop: async () => {} };
}
