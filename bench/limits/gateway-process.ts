import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { freePort } from '../stage/free-port.ts';

const repository = resolve(import.meta.dirname, '../..');
/** Clock ticks of a second, in which Linux counts CPU time. */
const TICKS = 100;

export interface GatewayProcess {
  port: number;
  /** CPU time that it has taken, in ms. */
  cpu(): number;
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

function runNode(args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', ...args], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

/** Migrates the database and plants the demo restaurants. */
export async function plantDemo(databaseUrl: string): Promise<void> {
  for (const command of ['migrate', 'demo']) {
    const child = runNode(['db/cli/main.ts', command], { DATABASE_URL: databaseUrl });
    child.stdout?.resume();
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${command} ended with ${code}`);
  }
}

/**
 * Starts a gateway behind a trusted proxy, which the bench is.
 *
 * @param preload modules that are imported before it
 */
export async function startGateway(
  env: Record<string, string>,
  preload: readonly string[] = [],
): Promise<GatewayProcess> {
  const opsPort = await freePort();
  const port = Number(env.PORT ?? (await freePort()));
  const child = runNode([...preload.flatMap((file) => ['--import', file]), 'gateway/main.ts'], {
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
    PORT: String(port),
    OPS_PORT: String(opsPort),
  });
  await new Promise<void>((ready, fail) => {
    child.stdout?.on('data', (text) => String(text).includes('"started"') && ready());
    child.once('close', (code) => fail(new Error(`the gateway ended with ${code}`)));
  });
  return {
    port,
    cpu: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
      return ((Number(fields?.[11]) + Number(fields?.[12])) * 1_000) / TICKS;
    },
    metric: async (name) => {
      const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await response.text())?.[1]);
    },
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}
