import assert from 'node:assert/strict';
import { residentMb } from '../../bench/processes/usage.ts';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createTestDatabase } from './database.ts';
import { type Client, createClient } from './http.ts';
import type { StartOptions } from './process.ts';
import { openDatabase, plant } from './restaurant.ts';
import { startService } from './service-process.ts';

/** A gateway as operators run it. */
interface GatewayProcess {
  port: number;
  pid: number;
  /** Speaks to the tenant of this slug. */
  client(slug: string): Client;
  /** Memory that is in RAM, in MiB. */
  residentMb(): number;
  /** The process's log. */
  log(): string;
  /** Ends it and asserts that it ends. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway process with limits that no test reaches, unless `env` has others.
 *
 * @param changed replaces constants of the process
 */
export async function startGatewayProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
  changed: Partial<Constants> = {},
  how?: Pick<StartOptions, 'isSource'>,
): Promise<GatewayProcess> {
  const limits = { LIMIT_PUBLIC: '1000000', LIMIT_ANALYTICS: '1000000' };
  const all = { ...limits, ...env };
  const started = await startService('gateway/main.ts', databaseUrl, all, changed, how);
  const { program: gateway, port } = started;
  return {
    ...{ port, pid: gateway.pid },
    client: (slug) => createClient(port, `${slug}.localhost`),
    residentMb: () => residentMb(gateway.pid),
    log: () => gateway.stdout() + gateway.stderr(),
    stop: gateway.stop,
  };
}

/**
 * Log lines of a gateway whose machine stands still for a moment, whatever its clients do: that
 * Postgres did not answer in time, and that it does again.
 */
const STALL = /"outage":|"msg":"Postgres is back"|"msg":"lost the connection /;

/** A gateway of the trattoria, with a database of its own. */
interface TrattoriaGateway extends GatewayProcess {
  databaseUrl: string;
}

export async function startTrattoriaGateway(): Promise<TrattoriaGateway> {
  const database = await createTestDatabase();
  const db = await openDatabase(database.url);
  await plant(db, trattoria);
  await db.end();
  const gateway = await startGatewayProcess(database.url);
  return {
    ...gateway,
    databaseUrl: database.url,
    stop: async () => {
      await gateway.stop();
      await database.drop();
    },
  };
}

/** The same for clients that do wrong; `stop` asserts that this was no news to it. */
export async function startProvokedGateway(): Promise<TrattoriaGateway> {
  const gateway = await startTrattoriaGateway();
  return {
    ...gateway,
    stop: async () => {
      await gateway.stop();
      const lines = gateway.log().split('\n');
      const news = lines.filter((line) => !STALL.test(line));
      assert.doesNotMatch(news.join('\n'), /"level":[456]0/);
    },
  };
}
