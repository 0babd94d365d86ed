import { freePort } from '../../bench/processes/free-port.ts';
import type { ProcessConfig } from '../../db/runtime/config.ts';
import { readConfig } from '../../db/runtime/config.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { assertNoSecrets, collectLog, noteSecret } from './collected-log.ts';
import { forFile } from './for-file.ts';
import { type Client, createClient } from './http.ts';
import { patience } from './patience.ts';

/** A gateway in the test's own process, with a client for one of its tenants. */
export interface TestGateway {
  port: number;
  opsPort: number;
  /** The lines of its log. */
  lines: readonly string[];
  /** Speaks to the tenant of this slug. */
  client(slug: string): Client;
  /** As that of `collectLog`. */
  checkLog(): void;
  /** Ends it, and asserts that its log holds no secret. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway on ports of its own; `env` is read as the process's environment would be, and
 * `changed` replaces some of its constants. Unless that has others, it refuses no request for being
 * slow: a test of outages passes the `constants` of the product.
 */
export async function startTestGateway(
  databaseUrl: string,
  env: Record<string, string> = {},
  changed: Partial<Constants> = {},
): Promise<TestGateway> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const config = readConfig({
    PORT: String(port),
    OPS_PORT: String(opsPort),
    LIMIT_PUBLIC: '100000',
    LIMIT_ADMIN: '100000',
    LIMIT_ANALYTICS: '100000',
    ...env,
    DATABASE_URL: databaseUrl,
  });
  const { log, lines, check } = collectLog();
  if (config.platformToken !== undefined) noteSecret(config.platformToken);
  const gateway = await startGateway(config as ProcessConfig, log, {
    ...constants,
    ...patience,
    ...changed,
  });
  return {
    port: config.port,
    opsPort: config.opsPort,
    client: (slug) => createClient(config.port, `${slug}.${config.domain}`),
    lines,
    checkLog: check,
    stop: async () => {
      await gateway.stop();
      assertNoSecrets(lines);
    },
  };
}

/** The same, stopped with the tests of the file. */
export const testGateway = forFile(startTestGateway);
