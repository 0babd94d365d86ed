import { assertReachable } from '../../postgres/pg-client.ts';
import type { Config } from '../../runtime/config.ts';
import { type Running, stopOnce } from '../../runtime/running.ts';
import { type EmbeddedOptions, startEmbedded } from '../embedded/start-embedded.ts';

/** A database that answers. `stop` ends an embedded server that no other program uses. */
export interface StartedDatabase extends Running {
  /** Of DATABASE_URL. */
  url: string;
  /** Of DATABASE_SESSION_URL, which has sessions. */
  sessionUrl: string;
}

/**
 * The database of DATABASE_URL, or without one the embedded server of DATA_DIR, started if it is
 * down, and created if there is none, unless it must exist.
 *
 * @throws {OperatorError} when it cannot be reached; the message has no password.
 */
export async function startDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseSessionUrl' | 'dataDir'>,
  use: Pick<EmbeddedOptions, 'role' | 'mustExist'>,
): Promise<StartedDatabase> {
  const { databaseUrl, databaseSessionUrl = databaseUrl, dataDir } = config;
  if (databaseUrl === undefined || databaseSessionUrl === undefined) {
    const embedded = await startEmbedded({ dataDir, ...use });
    return { ...embedded, sessionUrl: embedded.url };
  }
  await assertReachable(databaseUrl, databaseSessionUrl);
  return { url: databaseUrl, sessionUrl: databaseSessionUrl, ...stopOnce(async () => {}) };
}
